import {
  ErrorCode,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  McpError,
  type ReadResourceResult,
} from "@modelcontextprotocol/sdk/types.js";
import type { Client } from "../client/client.ts";
import { listRoute } from "../client/routes.ts";
import { findVersionReport } from "./references.ts";
import { downloadWhole, fileOf, isText } from "./tools/reading.ts";

const PAGE = 50;
/** Resources cannot be read in parts, unlike with read_report. */
const MAX_BYTES = 1024 * 1024;
const ADDRESS = /^vitrine:\/\/report\/([0-9A-Za-z]{1,100})(?:\/([\w.-]{1,1000}))?\/?$/;

const uriOf = (code: string) => `vitrine://report/${code}`;

export const RESOURCE_TEMPLATES: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      uriTemplate: "vitrine://report/{code}",
      name: "report",
      title: "Report",
      description: "HTML of one version, exactly as published.",
      mimeType: "text/html",
    },
    {
      uriTemplate: "vitrine://report/{code}/{file}",
      name: "report-file",
      title: "File of a report",
      description: "One file of one version, exactly as published.",
    },
  ],
};

/** Returns a page of all reports, each in its current version. */
export async function listResources(client: Client, cursor: string | undefined): Promise<ListResourcesResult> {
  const page = await client.call(listRoute, { query: { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) } });
  const groups = page.groups.map((group) => ({
    uri: uriOf(group.current_code),
    name: group.name,
    title: group.latest_title,
    mimeType: "text/html",
  }));
  const standalone = page.standalone.map(({ code, title }) => ({
    uri: uriOf(code),
    name: code,
    title,
    mimeType: "text/html",
  }));
  const next = page.next_cursor ?? undefined;
  return { resources: [...groups, ...standalone], ...(next === undefined ? {} : { nextCursor: next }) };
}

/** Returns a file of a report. Throws `McpError`, `ToolError`, or what the client throws. */
export async function readResource(client: Client, uri: string): Promise<ReadResourceResult> {
  const [, code, path = "index.html"] = ADDRESS.exec(uri) ?? [];
  if (code === undefined) {
    throw new McpError(
      ErrorCode.InvalidParams,
      "Unknown resource. Use vitrine://report/CODE or vitrine://report/CODE/FILE.",
    );
  }
  const file = fileOf(await findVersionReport(client, code), path);
  if (file.size > MAX_BYTES) {
    throw new McpError(
      ErrorCode.InvalidParams,
      `"${path}" has ${file.size} bytes, but the limit for resources is ${MAX_BYTES}. Use the tool read_report.`,
    );
  }
  const response = await downloadWhole(client, code, path);
  const about = { uri, mimeType: file.media_type };
  if (isText(file)) return { contents: [{ ...about, text: await response.text() }] };
  return { contents: [{ ...about, blob: Buffer.from(await response.arrayBuffer()).toString("base64") }] };
}
