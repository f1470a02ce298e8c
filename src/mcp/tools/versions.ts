import { z } from "zod";
import type { Client } from "../../client/client.ts";
import { breathe, compareTexts } from "../../client/compare-texts.ts";
import { itemVersionsRoute, reportRoute, setLatestRoute } from "../../client/routes.ts";
import { quoteTitle } from "../fence.ts";
import { partOfText } from "../parts.ts";
import {
  code,
  expectedCode,
  hasOneReference,
  name,
  nextOffset,
  ONE_REFERENCE,
  offset,
  pageLimit,
  partLimit,
  reference,
  storage,
  visibility,
} from "../schemas.ts";
import { ARRANGES, defineTool, type McpTool, READS } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { unifiedDiff } from "../unified-diff.ts";
import { downloadWhole, fileOf, isText } from "./reading.ts";

const listVersions = defineTool({
  name: "list_versions",
  title: "List versions",
  description:
    "List the versions of a report with a name, newest first: code, number, title, date, size, who made it and its permanent link. show_report says which one is current.",
  annotations: READS,
  input: z
    .strictObject({
      ...reference,
      before: z.int().min(1).max(2_147_483_647).optional().describe("next_before of the page before."),
      limit: pageLimit,
    })
    .refine(hasOneReference, ONE_REFERENCE),
  output: z.object({
    versions: z.array(
      z.object({
        code,
        version_no: z.int(),
        title: z.string(),
        created_at: z.string(),
        visibility,
        storage,
        size: z.int().describe("Bytes of all files."),
        file_count: z.int(),
        creator: z.string().nullable().describe("Slug of whoever published it."),
        url: z.string(),
      }),
    ),
    next_before: z.int().nullable().describe("Give it as before for the page after; null on the last one."),
  }),
  async run(query, { client }) {
    const page = await client.call(itemVersionsRoute, { query });
    const versions = page.versions.map(({ creator, ...version }) => ({ ...version, creator: creator?.slug ?? null }));
    const lines = versions.map(
      (version) => `${version.version_no}: ${version.code}, ${quoteTitle(version.title)}, ${version.created_at}`,
    );
    const note = page.next_before === null ? undefined : `More with before ${page.next_before}.`;
    return { data: { versions, next_before: page.next_before }, text: lines.join("\n"), note };
  },
});

/** More takes the processor and the memory for too long. */
const LARGEST_COMPARED = 1024 * 1024;
const MOST_LINES = 20_000;

const diffVersions = defineTool({
  name: "diff_versions",
  title: "Compare two versions",
  description:
    "Compare one text file of two versions line by line, as a unified diff. Files of at most 1 MB and 20,000 lines can be compared; lines over 500 characters are cut when shown. list_versions gives the codes.",
  annotations: READS,
  input: z.strictObject({
    from_code: code.describe("The older version."),
    to_code: code.describe("The newer version."),
    path: z.string().max(1000).default("index.html").describe("Which file of both."),
    context: z.int().min(0).max(20).default(3).describe("Lines that are alike, shown around each change."),
    offset,
    limit: partLimit,
  }),
  output: z.object({
    from_code: code,
    to_code: code,
    path: z.string(),
    added_lines: z.int(),
    removed_lines: z.int(),
    diff: z.string().describe("Between marks that name `fence`; empty when nothing differs."),
    fence: z.string().nullable().describe("What both marks have in them; null when nothing differs."),
    next_offset: nextOffset,
  }),
  async run({ from_code: from, to_code: to, path, context, ...wanted }, { client, turns, fence }) {
    const { text, added, removed } = await turns(async () => {
      const older = await readComparable(client, from, path);
      const newer = await readComparable(client, to, path);
      const comparison = await compareTexts(older.text, newer.text, new AbortController().signal);
      if (comparison === undefined) {
        throw new ToolError(`These versions of "${path}" are too different to compare: read both with read_report.`);
      }
      await breathe();
      return unifiedDiff(comparison, { old: older.label, new: newer.label }, context);
    });
    const part = partOfText(text, wanted);
    const fenced = text === "" ? undefined : fence(part.content);
    const data = {
      from_code: from,
      to_code: to,
      path,
      added_lines: added,
      removed_lines: removed,
      diff: fenced?.text ?? "",
      fence: fenced?.mark ?? null,
      next_offset: part.nextOffset,
    };
    const note = part.nextOffset === null ? undefined : `More with offset ${part.nextOffset}.`;
    return { data, text: fenced?.text ?? `"${path}" is the same in both.`, note };
  },
});

async function readComparable(client: Client, sought: string, path: string) {
  const report = await client.call(reportRoute, { query: { code: sought } });
  const file = fileOf(report, path);
  if (!isText(file)) throw new ToolError(`"${path}" is no text; only text can be compared line by line.`);
  if (file.size > LARGEST_COMPARED) {
    throw new ToolError(
      `"${path}" of ${sought} has ${file.size} bytes, and at most ${LARGEST_COMPARED} can be compared: read both versions with read_report.`,
    );
  }
  const text = await (await downloadWhole(client, sought, path)).text();
  if (hasMoreLines(text, MOST_LINES)) {
    throw new ToolError(
      `"${path}" of ${sought} has more than ${MOST_LINES} lines, too many to compare: read both versions with read_report.`,
    );
  }
  return { text, label: `${path} (${sought}, version ${report.version_no})` };
}

function hasMoreLines(text: string, most: number): boolean {
  let position = -1;
  for (let count = 0; count <= most; count++) {
    position = text.indexOf("\n", position + 1);
    if (position < 0) return false;
  }
  return true;
}

const setLatest = defineTool({
  name: "set_latest",
  title: "Make a version the current one",
  description:
    "Let a report's live link show one of its versions, such as an earlier one when the newest is wrong. The next version that is published becomes current again. Nothing is deleted.",
  annotations: ARRANGES,
  input: z.strictObject({
    name,
    code: code.describe("Of the version that is to be current."),
    expected_current_code: expectedCode,
  }),
  output: z.object({ name, current_code: code }),
  async run(body, { client }) {
    const data = await client.call(setLatestRoute, { body });
    return { data, text: `${data.name} now shows ${data.current_code}.` };
  },
});

export const versionTools: readonly McpTool[] = [listVersions, diffVersions, setLatest];
