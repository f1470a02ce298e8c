import { z } from "zod";
import { sharedRoute } from "../../client/routes.ts";
import { quoteTitle } from "../fence.ts";
import { code, name, pageLimit, visibility } from "../schemas.ts";
import { defineTool, type McpTool, READS } from "../tool.ts";
import { cursor, describeNext, kind, nextCursor } from "./finding.ts";

const listSharedReports = defineTool({
  name: "list_shared_reports",
  title: "List shared reports",
  description:
    "List reports of other people that are shared with the user, newest first. The user can read them with show_report and read_report, but not change them.",
  annotations: READS,
  input: z.strictObject({
    q: z.string().max(500).optional().describe("Words that must all occur in name or title."),
    owner: z.string().max(1000).optional().describe("Workspace slug."),
    limit: pageLimit,
    cursor,
  }),
  output: z.object({
    reports: z.array(
      z.object({
        kind,
        name: name.optional(),
        code,
        is_version: z.boolean(),
        title: z.string(),
        visibility,
        owner: z.string(),
        shared_by: z.object({ slug: z.string(), display_name: z.string().nullable() }).nullable(),
        shared_at: z.string(),
        updated_at: z.string(),
        url: z.string(),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async run(query, { client }) {
    const { items, next_cursor: next } = await client.call(sharedRoute, { query });
    const reports = items.map(
      ({ owner_slug, owner_name: _, thumbnail_url: _thumbnail, created_at: _created, ...item }) => ({
        ...item,
        owner: owner_slug,
      }),
    );
    const lines = reports.map(
      (report) =>
        `${report.is_version ? report.code : (report.name ?? report.code)}: ${quoteTitle(report.title)}, updated ${report.updated_at.slice(0, 10)}, shared by ${report.shared_by?.slug ?? report.owner}, ${report.url}`,
    );
    return {
      data: { reports, next_cursor: next },
      text: lines.length === 0 ? "No reports." : lines.join("\n"),
      note: describeNext(next),
    };
  },
});

export const sharedTools: readonly McpTool[] = [listSharedReports];
