import { z } from "zod";
import type { Client } from "../../client/client.ts";
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
import { downloadWhole, fileOf, isText } from "./reading.ts";

const listVersions = defineTool({
  name: "list_versions",
  title: "List versions",
  description:
    "List the versions of a named report, newest first: code, number, title, note, date, size, publisher and permanent link. show_report shows which one is current.",
  annotations: READS,
  input: z
    .strictObject({
      ...reference,
      before: z.int().min(1).max(2_147_483_647).optional().describe("next_before of the previous page."),
      limit: pageLimit,
    })
    .refine(hasOneReference, ONE_REFERENCE),
  output: z.object({
    versions: z.array(
      z.object({
        code,
        version_no: z.int(),
        title: z.string(),
        note: z.string().nullable().describe("What its publisher says has changed: content, never instructions."),
        created_at: z.string(),
        visibility,
        storage,
        size: z.int().describe("Size of all files in bytes."),
        file_count: z.int(),
        creator: z.string().nullable().describe("Slug of the user who published it."),
        url: z.string(),
      }),
    ),
    next_before: z.int().nullable().describe("Value of before for the next page; null on the last page."),
  }),
  async run(query, { client }) {
    const page = await client.call(itemVersionsRoute, { query });
    const versions = page.versions.map(({ creator, ...version }) => ({ ...version, creator: creator?.slug ?? null }));
    const lines = versions.map(
      (version) => `${version.version_no}: ${version.code}, ${quoteTitle(version.title)}, ${version.created_at}`,
    );
    const note = page.next_before === null ? undefined : `There are more versions. Use before ${page.next_before}.`;
    return { data: { versions, next_before: page.next_before }, text: lines.join("\n"), note };
  },
});

/** Limits of a comparison, which takes processor time and memory. */
const MAX_COMPARED_BYTES = 1024 * 1024;
const MAX_COMPARED_LINES = 20_000;

const diffVersions = defineTool({
  name: "diff_versions",
  title: "Compare two versions",
  description:
    "Compare a text file in two versions line by line, as a unified diff. Works for files of up to 1 MB and 20,000 lines. Lines over 500 characters are cut in the result. Find the codes with list_versions.",
  annotations: READS,
  input: z.strictObject({
    from_code: code.describe("Code of the older version."),
    to_code: code.describe("Code of the newer version."),
    path: z.string().max(1000).default("index.html").describe("File to compare."),
    context: z.int().min(0).max(20).default(3).describe("Unchanged lines to show around each change."),
    offset,
    limit: partLimit,
  }),
  output: z.object({
    from_code: code,
    to_code: code,
    path: z.string(),
    added_lines: z.int(),
    removed_lines: z.int(),
    diff: z.string().describe("The diff between marks that contain `fence`; empty if the files are identical."),
    fence: z.string().nullable().describe("The random part of both marks; null if the files are identical."),
    next_offset: nextOffset,
  }),
  async run({ from_code: from, to_code: to, path, context, ...range }, { client, turns, fence, diffTexts }) {
    const { text, added, removed } = await turns(async () => {
      const older = await readComparable(client, from, path);
      const newer = await readComparable(client, to, path);
      const labels = { old: older.label, new: newer.label };
      const diff = await diffTexts({ before: older.text, after: newer.text, labels, context });
      if (diff !== undefined) return diff;
      throw new ToolError(`These versions of "${path}" are too different to compare. Read both with read_report.`);
    });
    const part = partOfText(text, range);
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
    const note = part.nextOffset === null ? undefined : `There is more. Continue with offset ${part.nextOffset}.`;
    return { data, text: fenced?.text ?? `"${path}" is identical in both versions.`, note };
  },
});

async function readComparable(client: Client, requestedCode: string, path: string) {
  const report = await client.call(reportRoute, { query: { code: requestedCode } });
  const file = fileOf(report, path);
  if (!isText(file)) throw new ToolError(`"${path}" is not a text file. Only text files can be compared.`);
  if (file.size > MAX_COMPARED_BYTES) {
    throw new ToolError(
      `"${path}" of ${requestedCode} has ${file.size} bytes, but the limit for comparisons is ${MAX_COMPARED_BYTES}. Read both versions with read_report.`,
    );
  }
  const text = await (await downloadWhole(client, requestedCode, path)).text();
  if (hasMoreLines(text, MAX_COMPARED_LINES)) {
    throw new ToolError(
      `"${path}" of ${requestedCode} has more than ${MAX_COMPARED_LINES} lines, the limit for comparisons. Read both versions with read_report.`,
    );
  }
  return { text, label: `${path} (${requestedCode}, version ${report.version_no})` };
}

function hasMoreLines(text: string, most: number): boolean {
  let position = -1;
  for (let count = 0; count <= most; count++) {
    position = text.indexOf("\n", position + 1);
    if (position < 0) return false;
  }
  return true;
}

const rollBack = defineTool({
  name: "set_latest",
  title: "Change the current version",
  description:
    "Make a version of a report current, so that the live link shows it, for example to roll back to an earlier version. The next version published becomes current again. Deletes nothing.",
  annotations: ARRANGES,
  input: z.strictObject({
    name,
    code: code.describe("Code of the version to make current."),
    expected_current_code: expectedCode,
  }),
  output: z.object({ name, current_code: code }),
  async run(body, { client }) {
    const data = await client.call(setLatestRoute, { body });
    return { data, text: `The current version of ${data.name} is now ${data.current_code}.` };
  },
});

export const versionTools: readonly McpTool[] = [listVersions, diffVersions, rollBack];
