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
  /** The unified diff, or one line that says why there is none. */
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

/** Milliseconds after which the comparison of a file is given up. */
const TIME_LIMIT = 20_000;
const CONCURRENT_DOWNLOADS = 4;
const PAGE = /\.html?$/i;

/** Compares the files of two versions, by path. Downloads only files whose digests differ. */
export async function compareVersions(session: Session, comparison: Comparison): Promise<ComparedFile[]> {
  const { oldCode, newCode, file } = comparison;
  const [old, now] = await Promise.all([listFiles(session, oldCode), listFiles(session, newCode)]);
  const pairs = pairUp(old, now).filter(({ path }) => file === undefined || path === file);
  if (pairs.length === 0) throw new CommandError(`Neither version has a file "${file}".`);
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

async function compareFile(session: Session, { path, old, now }: Pair, comparison: Comparison): Promise<ComparedFile> {
  const found = { path, oldSize: old?.size ?? null, newSize: now?.size ?? null };
  const same = { ...found, status: "same", addedLines: 0, removedLines: 0, lines: [] } as const;
  if (old?.sha256 !== undefined && old.sha256 === now?.sha256) return same;
  const read = async (code: string, file: ListedFile | undefined): Promise<Uint8Array> =>
    file === undefined
      ? new Uint8Array()
      : session.download(downloadFileAddress, { code, path }, (response) => response.bytes());
  const [before, after] = await Promise.all([read(comparison.oldCode, old), read(comparison.newCode, now)]);
  const status = old === undefined ? "added" : now === undefined ? "removed" : "changed";
  if (status === "changed" && Buffer.compare(before, after) === 0) return same;
  const names = [
    old === undefined ? "/dev/null" : `${comparison.oldLabel}/${path}`,
    now === undefined ? "/dev/null" : `${comparison.newLabel}/${path}`,
  ] as const;
  const [oldText, newText] = await readTexts([before, after], comparison.asText && PAGE.test(path));
  const counts = { addedLines: null, removedLines: null };
  if (oldText === undefined || newText === undefined) {
    return { ...found, status, ...counts, lines: [`Binary files ${names[0]} and ${names[1]} differ`] };
  }
  if (status === "changed" && oldText === newText) return same;
  const lines = await createPatch(names, oldText, newText);
  if (lines === undefined) {
    const line = `Files ${names[0]} and ${names[1]} are too different to compare within 20 seconds`;
    return { ...found, status, ...counts, lines: [line] };
  }
  return { ...found, status, ...countLines(lines), lines };
}

/** Returns both contents as text; undefined for each that is not UTF-8. */
async function readTexts(contents: readonly Uint8Array[], isPage: boolean): Promise<(string | undefined)[]> {
  const texts = contents.map(asText);
  if (!isPage) return texts;
  const { visibleText } = await import("../html/page-text.ts");
  return texts.map((text) => (text === undefined ? undefined : visibleText(text)));
}

async function createPatch(names: readonly [string, string], oldText: string, newText: string) {
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
