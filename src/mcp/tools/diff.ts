import { z } from "zod";
import type { Client } from "../../client/client.ts";
import { changesRoute, itemVersionsRoute, type ReportEntry, reportRoute } from "../../client/routes.ts";
import { describeChange } from "../../html/changes/markdown.ts";
import { partOfText, textOfPage } from "../parts.ts";
import { findReport, findVersion, findVersionReport } from "../references.ts";
import { offset, partLimit, REPORT_ALIASES, report, version } from "../schemas.ts";
import { counted } from "../text.ts";
import { defineTool, type McpTool, READS, TEXT_ONLY, type ToolContext } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { downloadWhole, fileOf, isPage, isText } from "./reading.ts";

/** Limits of a comparison, which takes processor time and memory. */
const MAX_COMPARED_BYTES = 1024 * 1024;
const MAX_COMPARED_LINES = 20_000;

const diffVersions = defineTool({
  name: "diff_versions",
  title: "Compare two versions",
  description:
    "Compare two versions: which files changed, and a unified diff of one, by default of a page's visible text. `as` chooses its source, or what readers see changed. By default, the current version with the one before.",
  annotations: READS,
  input: z.strictObject({
    report: report.optional(),
    from: version.optional().describe("Older version: number, code or link (default: the one before to)."),
    to: version.optional().describe("Newer version (default: current)."),
    path: z.string().max(1000).optional().describe("Default: index.html, or the first that changed."),
    as: z.enum(["text", "source", "changes"]).default("text"),
    context: z.int().min(0).max(20).default(3).describe("Unchanged lines around each change."),
    offset,
    limit: partLimit,
  }),
  aliases: { ...REPORT_ALIASES, from_code: "from", to_code: "to" },
  output: TEXT_ONLY,
  async run({ report: text, from, to, path, as, context, ...range }, work) {
    const [older, newer] = await findPair(work.client, text, from, to);
    if (as === "changes") return listChanges(work, { older, newer, path }, range);
    const changes = changedFiles(older, newer);
    const files = describeChanges(older, newer, changes);
    const chosen =
      path ?? changes.find((one) => one.path === "index.html")?.path ?? changes.find((one) => one.isText)?.path;
    const change = changes.find((one) => one.path === chosen);
    if (chosen === undefined) return { data: undefined, text: files };
    if (change === undefined) {
      fileOf(newer, chosen);
      return { data: undefined, text: `${files}\n"${chosen}" is identical in both versions.` };
    }
    if (change.kind !== "changed") {
      const only = change.kind === "added" ? newer : older;
      return {
        data: undefined,
        text: `${files}\n"${chosen}" is only in version ${only.version_no}. Read it with read_report and report ${only.code}.`,
      };
    }
    const { diff, title } = await compareFile(work, { older, newer, path: chosen, as, context });
    if (diff === "") return { data: undefined, text: `${files}\n${title}` };
    const part = partOfText(diff, range);
    const more = part.nextOffset === null ? "" : ` There is more. Continue with offset ${part.nextOffset}.`;
    return { data: undefined, text: work.fence(part.content).text, note: `${files}\n${title}${more}` };
  },
});

/** Lists what readers see as changed, one change a line. */
async function listChanges(
  { client, fence }: Pick<ToolContext, "client" | "fence">,
  { older, newer, path }: { older: ReportEntry; newer: ReportEntry; path: string | undefined },
  range: Parameters<typeof partOfText>[1],
) {
  const query = { code: newer.code, from: older.code, ...(path === undefined ? {} : { path }) };
  const found = await client.call(changesRoute, { query });
  const lines = found.changes.map((change) => [...change.headings, describeChange(change)].join(" > "));
  const part = partOfText(lines.join("\n"), range);
  const notes = [
    `Version ${older.version_no} (${older.code}) and version ${newer.version_no} (${newer.code}), ${found.path}: ${counted(found.total, "change")}.`,
    ...(found.truncated ? [`The first ${lines.length} are listed.`] : []),
    ...(found.drawn_by_scripts ? ["Scripts draw parts of this page, so there may be more changes."] : []),
    ...(part.nextOffset === null ? [] : [`There is more. Continue with offset ${part.nextOffset}.`]),
  ];
  if (lines.length === 0) return { data: undefined, text: notes.join(" ") };
  return { data: undefined, text: fence(part.content).text, note: notes.join(" ") };
}

/** Returns the versions to compare, the older one first. Throws `ToolError`. */
async function findPair(
  client: Client,
  text: string | undefined,
  from: string | undefined,
  to: string | undefined,
): Promise<[ReportEntry, ReportEntry]> {
  if (text === undefined && to === undefined) {
    throw new ToolError("Pass report, or both from and to as codes, links or name@2.");
  }
  const found = await findReport(client, text ?? to ?? "");
  const read = (requested: string) => client.call(reportRoute, { query: { code: requested } });
  const versionOf = async (given: string) =>
    /^\d{1,10}$/.test(given)
      ? read(await findVersion(client, found.item, Number(given)))
      : findVersionReport(client, given);
  const newer = to === undefined ? await read(found.versionCode ?? found.item.code) : await versionOf(to);
  if (from !== undefined) return [await versionOf(from), newer];
  const { versions } = await client.call(itemVersionsRoute, {
    query: { code: newer.code, before: newer.version_no, limit: 1 },
  });
  const [previous] = versions;
  if (previous !== undefined) return [await read(previous.code), newer];
  throw new ToolError(
    `There is no version before version ${newer.version_no} of ${newer.name ?? newer.code}. Pass from, or see list_versions.`,
  );
}

interface FileChange {
  path: string;
  kind: "added" | "removed" | "changed";
  isText: boolean;
}

function changedFiles(older: ReportEntry, newer: ReportEntry): FileChange[] {
  const before = new Map(older.files.map((file) => [file.path, file]));
  const after = new Map(newer.files.map((file) => [file.path, file]));
  const kindOf = (path: string) => {
    if (!before.has(path)) return "added";
    return after.has(path) ? "changed" : "removed";
  };
  return [...new Map([...before, ...after]).values()]
    .filter(({ path }) => before.get(path)?.sha256 !== after.get(path)?.sha256)
    .map((file) => ({ path: file.path, kind: kindOf(file.path), isText: isText(file) }));
}

function describeChanges(older: ReportEntry, newer: ReportEntry, changes: readonly FileChange[]): string {
  const versions = `Version ${older.version_no} (${older.code}) and version ${newer.version_no} (${newer.code})`;
  const same = newer.files.length - changes.filter(({ kind }) => kind !== "removed").length;
  if (changes.length === 0) return `${versions} have identical files (${same}).`;
  const list = changes.map(({ path, kind }) => `${path} ${kind}`).join(", ");
  return `${versions}: ${list}; ${same} unchanged.`;
}

interface FileComparison {
  older: ReportEntry;
  newer: ReportEntry;
  path: string;
  as: "text" | "source";
  context: number;
}

/** Compares a changed file. The diff is empty only if there is nothing to show, which the title then explains. */
async function compareFile(
  { client, turns, diffTexts }: ToolContext,
  { older, newer, path, as, context }: FileComparison,
) {
  const isRendered = as === "text" && isPage(fileOf(older, path)) && isPage(fileOf(newer, path));
  const compare = (rendered: boolean) =>
    turns(async () => {
      const before = await readComparable(client, older, path, rendered);
      const after = await readComparable(client, newer, path, rendered);
      const labels = { old: labelOf(path, older), new: labelOf(path, newer) };
      const diff = await diffTexts({ before, after, labels, context });
      if (diff !== undefined) return diff;
      throw new ToolError(`These versions of "${path}" are too different to compare. Read both with read_report.`);
    });
  const describe = (what: string, { added, removed }: { added: number; removed: number }) =>
    `${what} of ${path}: ${counted(added, "line")} added, ${removed} removed.`;
  if (isRendered) {
    const diff = await compare(true);
    if (diff.text !== "") return { diff: diff.text, title: describe("Visible text", diff) };
  }
  const diff = await compare(false);
  const same = isRendered ? `The visible text of ${path} is the same; its source differs. ` : "";
  if (diff.text === "") return { diff: "", title: `${same}${path} differs only in the line break at its end.` };
  return { diff: diff.text, title: same + describe("Source", diff) };
}

const labelOf = (path: string, { code: ownCode, version_no: number }: ReportEntry) =>
  `${path} (${ownCode}, version ${number})`;

async function readComparable(client: Client, from: ReportEntry, path: string, isRendered: boolean): Promise<string> {
  const file = fileOf(from, path);
  if (!isText(file)) throw new ToolError(`"${path}" is not a text file. Only text files can be compared.`);
  if (file.size > MAX_COMPARED_BYTES) {
    throw new ToolError(
      `"${path}" of ${from.code} has ${file.size} bytes, but the limit for comparisons is ${MAX_COMPARED_BYTES}. Read both versions with read_report.`,
    );
  }
  const response = await downloadWhole(client, from.code, path);
  const text = isRendered ? await textOfPage(response) : await response.text();
  if (hasMoreLines(text, MAX_COMPARED_LINES)) {
    throw new ToolError(
      `"${path}" of ${from.code} has more than ${MAX_COMPARED_LINES} lines, the limit for comparisons. Read both versions with read_report.`,
    );
  }
  return text;
}

function hasMoreLines(text: string, most: number): boolean {
  let position = -1;
  for (let count = 0; count <= most; count++) {
    position = text.indexOf("\n", position + 1);
    if (position < 0) return false;
  }
  return true;
}

export const diffTools: readonly McpTool[] = [diffVersions];
