import pLimit from "p-limit";
import { downloadFileAddress } from "../client/lazy-routes.ts";
import { type ListedFile, listFiles } from "./listed-files.ts";
import { CommandError } from "./output.ts";
import type { Session } from "./session.ts";
import { asText } from "./upload-body.ts";

export interface ComparedFile {
  path: string;
  status: "same" | "changed" | "added" | "removed";
  /** In bytes; null on the side that lacks the file. */
  oldSize: number | null;
  newSize: number | null;
  /** Null for binary files, and for files that are too different to compare. */
  addedLines: number | null;
  removedLines: number | null;
  /** The unified diff, or one line that says why it is missing. */
  lines: readonly string[];
}

interface Comparison {
  oldCode: string;
  newCode: string;
  oldLabel: string;
  newLabel: string;
  /** The only file to compare. */
  file?: string | undefined;
  /** Whether HTML pages are compared by their visible text. */
  asText: boolean;
}

interface Pair {
  path: string;
  old: ListedFile | undefined;
  now: ListedFile | undefined;
}

type Names = readonly [old: string, now: string];
type Texts = readonly [old: string | undefined, now: string | undefined];

/** Milliseconds after which the comparison of a file is given up. */
const TIME_LIMIT = 20_000;
const CONCURRENT_DOWNLOADS = 4;
const PAGE = /\.html?$/i;

/** Compares the files of two versions, by path. Downloads only files whose digests differ. */
export async function compareVersions(session: Session, comparison: Comparison): Promise<ComparedFile[]> {
  const { oldCode, newCode, file } = comparison;
  const [old, now] = await Promise.all([listFiles(session, oldCode), listFiles(session, newCode)]);
  const pairs = pairUp(old, now).filter(({ path }) => file === undefined || path === file);
  if (pairs.length === 0) throw new CommandError(`Neither version has a file "${file}". Check its name.`);
  const limit = pLimit({ concurrency: CONCURRENT_DOWNLOADS, rejectOnClear: true });
  const results = pairs.map((pair) => limit(() => compareFile(session, pair, comparison)));
  return Promise.all(results).catch((error) => {
    limit.clearQueue();
    throw error;
  });
}

function pairUp(old: readonly ListedFile[], now: readonly ListedFile[]): Pair[] {
  const [before, after] = [old, now].map((files) => new Map(files.map((file) => [file.path, file])));
  const paths = [...new Set([...old, ...now].map(({ path }) => path))].sort();
  return paths.map((path) => ({ path, old: before?.get(path), now: after?.get(path) }));
}

async function compareFile(session: Session, pair: Pair, comparison: Comparison): Promise<ComparedFile> {
  const { path, old, now } = pair;
  const found = { path, oldSize: old?.size ?? null, newSize: now?.size ?? null };
  const same = { ...found, status: "same", addedLines: 0, removedLines: 0, lines: [] } as const;
  if (old?.sha256 !== undefined && old.sha256 === now?.sha256) return same;
  const status = old === undefined ? "added" : now === undefined ? "removed" : "changed";
  const contents = await Promise.all([
    readSide(session, comparison.oldCode, old),
    readSide(session, comparison.newCode, now),
  ]);
  const texts = await readTexts(contents, comparison.asText && PAGE.test(path));
  const isSame = texts[0] === undefined ? Buffer.compare(...contents) === 0 : texts[0] === texts[1];
  if (status === "changed" && isSame) return same;
  return { ...found, status, ...(await describeChange(namesOf(pair, comparison), texts)) };
}

const readSide = async (session: Session, code: string, file: ListedFile | undefined): Promise<Uint8Array> =>
  file === undefined
    ? new Uint8Array()
    : session.download(downloadFileAddress, { code, path: file.path }, (response) => response.bytes());

const namesOf = ({ path, old, now }: Pair, { oldLabel, newLabel }: Comparison): Names => [
  old === undefined ? "/dev/null" : `${oldLabel}/${path}`,
  now === undefined ? "/dev/null" : `${newLabel}/${path}`,
];

async function describeChange([from, to]: Names, [oldText, newText]: Texts) {
  const uncounted = { addedLines: null, removedLines: null };
  if (oldText === undefined || newText === undefined) {
    return { ...uncounted, lines: [`Binary files ${from} and ${to} differ`] };
  }
  const lines = await createPatch([from, to], oldText, newText);
  if (lines !== undefined) return { ...countLines(lines), lines };
  return { ...uncounted, lines: [`Files ${from} and ${to} are too different to compare within 20 seconds`] };
}

/** Returns both contents as text; undefined for each that is not UTF-8. */
async function readTexts([before, after]: readonly [Uint8Array, Uint8Array], isPage: boolean): Promise<Texts> {
  const texts: Texts = [asText(before), asText(after)];
  if (!isPage) return texts;
  const { visibleText } = await import("../html/page-text.ts");
  const read = (text: string | undefined) => (text === undefined ? undefined : visibleText(text));
  return [read(texts[0]), read(texts[1])];
}

async function createPatch(names: Names, oldText: string, newText: string) {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const settings = { timeout: TIME_LIMIT, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(...names, oldText, newText, undefined, undefined, settings);
  return patch?.replace(/\n$/, "").split("\n");
}

/** Counts the changed lines of a patch, whose first two lines are names. */
function countLines([, , ...lines]: readonly string[]) {
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { addedLines: count("+"), removedLines: count("-") };
}
