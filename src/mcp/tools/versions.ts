import { z } from "zod";
import { itemRoute, itemVersionsRoute, type ReportEntry, reportRoute, setLatestRoute } from "../../client/routes.ts";
import { quoteTitle } from "../fence.ts";
import { findReport, findVersion, findVersionReport } from "../references.ts";
import {
  code,
  expectedCode,
  name,
  pageLimit,
  REPORT_ALIASES,
  report,
  storage,
  version,
  visibility,
} from "../schemas.ts";
import { minute } from "../text.ts";
import { ARRANGES, defineTool, type McpTool, READS } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

const listVersions = defineTool({
  name: "list_versions",
  title: "List versions",
  description: "List the versions of a report, with notes and links, newest first.",
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
        minute(version.created_at),
        ...(version.creator === null ? [] : [`by ${version.creator}`]),
        ...(version.note === null ? [] : [`note ${quoteTitle(version.note)}`]),
        version.url,
      ].join(", "),
    );
    const note = page.next_before === null ? undefined : `There are more versions. Use before ${page.next_before}.`;
    return { data: { versions, next_before: page.next_before }, text: lines.join("\n"), note };
  },
});

const rollBack = defineTool({
  name: "set_latest",
  title: "Roll back, or change the current version",
  description:
    "Make a version current, so that the live link shows it. Deletes nothing; the next version published becomes current.",
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
    const read = (requested: string) => client.call(reportRoute, { query: { code: requested } });
    const chosen = await (/^\d{1,10}$/.test(given)
      ? read(await findVersion(client, item, Number(given)))
      : findVersionReport(client, given));
    const previous = await read(item.code);
    const body = {
      name: item.name,
      code: chosen.code,
      ...(expected === undefined ? {} : { expected_current_code: expected }),
    };
    const data = await client.call(setLatestRoute, { body });
    const { live_url: url = chosen.url } = await client.call(itemRoute, { query: { name: data.name } });
    const now = `${data.name} ${previous.code === chosen.code ? "showed" : "now shows"} ${describeReport(chosen)}`;
    return {
      data: { name: data.name, current_code: data.current_code, previous_code: previous.code },
      text:
        previous.code === chosen.code
          ? `${now} already: ${url}`
          : `${now}: ${url}\nBefore, it showed ${describeReport(previous)}. To undo, call set_latest with version ${previous.version_no}.`,
    };
  },
});

const describeReport = ({ version_no: number, code: ownCode, title }: ReportEntry) =>
  `version ${number} (${ownCode}, ${quoteTitle(title)})`;

export const versionTools: readonly McpTool[] = [listVersions, rollBack];
