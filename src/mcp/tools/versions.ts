import { z } from "zod";
import type { Client } from "../../client/client.ts";
import { changesRoute, itemVersionsRoute, type ReportEntry, reportRoute, setLatestRoute } from "../../client/routes.ts";
import { describeChange } from "../../html/changes/markdown.ts";
import { quoteTitle } from "../fence.ts";
import { partOfText } from "../parts.ts";
import { findReport, findVersion, findVersionReport } from "../references.ts";
import {
  code,
  expectedCode,
  name,
  offset,
  pageLimit,
  partLimit,
  REPORT_ALIASES,
  report,
  storage,
  visibility,
} from "../schemas.ts";
import { ARRANGES, defineTool, type McpTool, READS, TEXT_ONLY, type ToolContext } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { compareFile } from "./compare-file.ts";
import { fileOf, isText } from "./reading.ts";

const listVersions = defineTool({
  name: "list_versions",
  title: "List versions",
  description:
    "List the versions of a report, newest first: number, code, title, note, date, size, publisher and link.",
  annotations: READS,
  input: z.strictObject({
    report,
    before: z.int().min(1).max(2_147_483_647).optional().describe("next_before of the previous page."),
    limit: pageLimit,
  }),
  aliases: REPORT_ALIASES,
  output: z.object({
    versions: z.array(
      z.object({
        code,
        version_no: z.int(),
        title: z.string(),
        note: z.string().nullable(),
        created_at: z.string(),
        visibility,
        storage,
        size: z.int(),
        file_count: z.int(),
        creator: z.string().nullable(),
        url: z.string(),
      }),
    ),
    next_before: z.int().nullable(),
  }),
  async run({ report: text, ...query }, { client }) {
    const { item } = await findReport(client, text);
    const reference = item.name === undefined ? { code: item.code } : { name: item.name };
    const page = await client.call(itemVersionsRoute, { query: { ...query, ...reference } });
    const versions = page.versions.map(({ creator, ...version }) => ({ ...version, creator: creator?.slug ?? null }));
    const lines = versions.map((version) =>
      [
        `${version.version_no}${version.code === item.code ? " (current)" : ""}: ${version.code}`,
        quoteTitle(version.title),
        version.created_at,
        ...(version.creator === null ? [] : [`by ${version.creator}`]),
        ...(version.note === null ? [] : [`note ${quoteTitle(version.note)}`]),
        version.url,
      ].join(", "),
    );
    const note = page.next_before === null ? undefined : `There are more versions. Use before ${page.next_before}.`;
    return { data: { versions, next_before: page.next_before }, text: lines.join("\n"), note };
  },
});

/** A version as arguments name it: a number, a code, a link or `name@2`. */
const version = z.union([z.string().trim().min(1).max(4000), z.int().min(1).max(2_147_483_647)]).transform(String);

const diffVersions = defineTool({
  name: "diff_versions",
  title: "Compare two versions",
  description:
    "Compare two versions: which files changed, and what changed in one, as a unified diff of the visible text of a page, or with as of its source, or as changes: the numbers, rows, texts, images and charts that readers see changed. By default, the current version with the one before.",
  annotations: READS,
  input: z.strictObject({
    report: report.optional(),
    from: version.optional().describe("Older version: number, code or link (default: the one before to)."),
    to: version.optional().describe("Newer version (default: current)."),
    path: z
      .string()
      .max(1000)
      .optional()
      .describe("File to compare (default: index.html, or else the first that changed)."),
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
    `Version ${older.version_no} (${older.code}) and version ${newer.version_no} (${newer.code}), ${found.path}: ${found.total} changes.`,
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

const rollBack = defineTool({
  name: "set_latest",
  title: "Roll back, or change the current version",
  description:
    "Make a version current, so that the live link shows it. Deletes nothing; the next version published becomes current. Returns the version that was current before.",
  annotations: ARRANGES,
  input: z.strictObject({
    report,
    version: version.describe("Version number, or its code or link."),
    expected_current_code: expectedCode,
  }),
  aliases: { name: "report", code: "version" },
  output: z.object({ name, current_code: code, previous_code: code }),
  async run({ report: text, version: given, expected_current_code: expected }, { client }) {
    const { item } = await findReport(client, text);
    if (item.name === undefined) throw new ToolError(`${item.code} has no name, so it has only this version.`);
    const requested = /^\d{1,10}$/.test(given) ? await findVersion(client, item, Number(given)) : undefined;
    const chosen = requested ?? (await findVersionReport(client, given)).code;
    const body = {
      name: item.name,
      code: chosen,
      ...(expected === undefined ? {} : { expected_current_code: expected }),
    };
    const data = await client.call(setLatestRoute, { body });
    const previous = item.code;
    return {
      data: { name: data.name, current_code: data.current_code, previous_code: previous },
      text: `The current version of ${data.name} is now ${data.current_code}. Before, it was ${previous}; to undo, call set_latest with version ${previous}.`,
    };
  },
});

export const versionTools: readonly McpTool[] = [listVersions, diffVersions, rollBack];
