import { z } from "zod";
import {
  accountRoute,
  itemRoute,
  listRoute,
  type ResponseOf,
  reportRoute,
  searchRoute,
  sharedRoute,
} from "../../client/routes.ts";
import { quoteTitle } from "../fence.ts";
import {
  code,
  hasOneReference,
  name,
  ONE_REFERENCE,
  owner,
  pageLimit,
  reference,
  storage,
  tags,
  visibility,
} from "../schemas.ts";
import { defineTool, type McpTool, READS } from "../tool.ts";
import { workspaceOf } from "../workspaces.ts";

const nextCursor = z.string().nullable().describe("Cursor of the next page; null on the last page.");
const cursor = z.string().max(4000).optional().describe("next_cursor of the previous page.");

const kind = z
  .enum(["group", "report"])
  .describe("group: a named report with versions. report: a single version without a name.");

const listReports = defineTool({
  name: "list_reports",
  title: "List reports",
  description:
    "List all reports that the user can read, in all their workspaces, newest first. Named reports come first, then those without a name. To find specific reports, use search_reports.",
  annotations: READS,
  input: z.strictObject({ limit: pageLimit, cursor }),
  output: z.object({
    reports: z.array(
      z.object({
        kind,
        name: name.optional(),
        code: code.describe("Code of the current version."),
        title: z.string(),
        owner: z.string(),
        visibility,
        current_visibility: visibility.describe(
          "Visibility of the current version. The live link works for readers whom both allow.",
        ),
        version_count: z.int(),
        folder: z.string().nullable(),
        created_at: z.string(),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async run(query, { client }) {
    const page = await client.call(listRoute, { query });
    const reports = [...page.groups.map(namedEntry), ...page.standalone.map(standaloneEntry)];
    const next = page.next_cursor ?? null;
    return { data: { reports, next_cursor: next }, text: describeList(reports), note: describeNext(next) };
  },
});

type List = ResponseOf<typeof listRoute>;

const namedEntry = (group: List["groups"][number]) => ({
  kind: "group" as const,
  name: group.name,
  code: group.current_code,
  title: group.latest_title,
  owner: group.owner_slug,
  visibility: group.visibility,
  current_visibility: group.current_visibility,
  version_count: group.version_count,
  folder: group.folder,
  created_at: group.created_at,
});

const standaloneEntry = (report: List["standalone"][number]) => ({
  kind: "report" as const,
  code: report.code,
  title: report.title,
  owner: report.owner_slug,
  visibility: report.visibility,
  current_visibility: report.current_visibility,
  version_count: 1,
  folder: report.folder,
  created_at: report.created_at,
});

const searchReports = defineTool({
  name: "search_reports",
  title: "Search reports",
  description:
    "Search the reports of one workspace by words in the name, title, code, folder, drawer and tags. Ignores case and matches parts of words. Does not search the content of reports; use read_report for that. Filter by folder, drawer, tag, visibility, author and time.",
  annotations: READS,
  input: z
    .strictObject({
      q: z.string().max(500).optional().describe("Words that must all match (default: any report)."),
      owner,
      folder_id: z.string().max(100).optional().describe('Only reports in this folder; "none" for unfiled reports.'),
      drawer_id: z
        .string()
        .max(100)
        .optional()
        .describe('Only reports in a folder of this drawer; "none" for reports in no drawer.'),
      tag_ids: z
        .array(z.string().max(100))
        .max(50)
        .optional()
        .describe('Only reports with all of these tags; ["none"] for untagged reports.'),
      with_subtags: z.boolean().optional().describe("Whether tags below those of tag_ids match too."),
      visibility: visibility.optional(),
      authors: z
        .array(z.string().max(100))
        .max(20)
        .optional()
        .describe("Only reports that one of these users, given by slug, published first."),
      since: z
        .string()
        .max(40)
        .optional()
        .describe("Only reports updated at or after this date or time, such as 2026-03-01."),
      until: z.string().max(40).optional().describe("Only reports updated before this date or time."),
      sort: z
        .enum(["updated", "-updated", "created", "-created", "title", "-title", "name", "-name"])
        .optional()
        .describe("Sort order (default: updated, newest first). A hyphen reverses it."),
      limit: pageLimit,
      cursor,
    })
    .refine((given) => given.folder_id === undefined || given.drawer_id === undefined, {
      message: "pass at most one of folder_id and drawer_id",
    }),
  output: z.object({
    owner: z.string().describe("The searched workspace."),
    reports: z.array(
      z.object({
        kind,
        name: name.optional(),
        code: code.describe("Code of the current version."),
        title: z.string(),
        visibility,
        current_visibility: visibility.describe(
          "Visibility of the current version. The live link works for readers whom both allow.",
        ),
        version_count: z.int(),
        folder_id: z.string().nullable(),
        drawer_id: z.string().nullable(),
        tags,
        creator: z
          .object({ slug: z.string(), display_name: z.string().nullable() })
          .nullable()
          .describe("User who published the report first."),
        created_at: z.string(),
        updated_at: z.string(),
        url: z.string(),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async run({ owner: requested, tag_ids: tagIds, authors, with_subtags: withSubtags, ...query }, { client }) {
    const slug = await workspaceOf(client, requested);
    const page = await client.call(searchRoute, {
      query: {
        ...query,
        owner: slug,
        ...(tagIds === undefined ? {} : { tag_id: tagIds }),
        ...(authors === undefined ? {} : { author: authors }),
        ...(withSubtags ? { tag_scope: "subtree" as const } : {}),
      },
    });
    const { items, next_cursor: next } = page;
    return {
      data: { owner: slug, reports: items, next_cursor: next },
      text: describeList(items),
      note: describeNext(next),
    };
  },
});

const listSharedReports = defineTool({
  name: "list_shared_reports",
  title: "List shared reports",
  description:
    "List or search reports of other people that are shared with the user, by name or through an organization, most recently updated first. The user can read them with show_report and read_report, but not change them.",
  annotations: READS,
  input: z.strictObject({
    q: z.string().max(500).optional().describe("Words that must all occur in the name or title (default: any)."),
    owner: z.string().max(1000).optional().describe("Only reports of this workspace, by slug."),
    limit: pageLimit,
    cursor,
  }),
  output: z.object({
    reports: z.array(
      z.object({
        kind,
        name: name.optional(),
        code: code.describe("Code of the current version, or of the only version that is shared."),
        is_version: z.boolean().describe("Whether only this version of a named report is shared: use its code."),
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
        `${report.is_version ? report.code : (report.name ?? report.code)}: ${quoteTitle(report.title)} (shared by ${report.shared_by?.slug ?? report.owner}, current ${report.code})`,
    );
    return {
      data: { reports, next_cursor: next },
      text: lines.length === 0 ? "No reports." : lines.join("\n"),
      note: describeNext(next),
    };
  },
});

interface Listed {
  name?: string | undefined;
  code: string;
  title: string;
  visibility: string;
  version_count: number;
}

function describeList(reports: readonly Listed[]): string {
  if (reports.length === 0) return "No reports.";
  const lines = reports.map(
    (report) =>
      `${report.name ?? report.code}: ${quoteTitle(report.title)} (${report.visibility}, current ${report.code}, versions: ${report.version_count})`,
  );
  return lines.join("\n");
}

const describeNext = (next: string | null) =>
  next === null ? undefined : `There are more reports. Use cursor ${next}.`;

const showReport = defineTool({
  name: "show_report",
  title: "Show a report",
  description:
    "Show one report: title, links, visibility, folder, tags, number of versions, and the files of one version with their sizes. A name selects the current version, a code exactly that version. For the content, use read_report.",
  annotations: READS,
  input: z.strictObject(reference).refine(hasOneReference, ONE_REFERENCE),
  output: z.object({
    kind,
    name: name.optional(),
    code: code.describe("Code of the version whose files are listed."),
    current_code: code.describe("Code of the current version, which the live link shows."),
    title: z.string(),
    note: z.string().nullable().describe("What has changed in this version."),
    version_no: z.int(),
    version_count: z.int(),
    owner: z.string(),
    visibility: visibility.describe("Visibility of this version."),
    storage: storage.describe("Storage of this version."),
    folder: z.string().nullable(),
    folder_id: z.string().nullable(),
    tags,
    created_at: z.string(),
    updated_at: z.string(),
    url: z.string().describe("Permanent link to this version."),
    live_url: z.string().optional().describe("Live link, which always shows the current version."),
    may_control: z.boolean().describe("Whether the user can delete the report and change its visibility."),
    files: z.array(z.object({ path: z.string(), size: z.int(), media_type: z.string() })),
  }),
  async run(query, { client }) {
    const item = await client.call(itemRoute, { query });
    const report = await client.call(reportRoute, { query: { code: query.code ?? item.code } });
    const { owner_slug: slug, code: current, current_visibility: _, ...described } = item;
    const data = {
      ...described,
      code: report.code,
      current_code: current,
      title: report.title,
      note: report.note,
      version_no: report.version_no,
      visibility: report.visibility,
      storage: report.storage,
      owner: slug,
      url: report.url,
      created_at: report.created_at,
      files: report.files,
    };
    const files = report.files.map(({ path, size }) => `${path} (${size} bytes)`).join(", ");
    const text = `${item.name ?? report.code}: ${quoteTitle(report.title)}, version ${report.version_no} of ${item.version_count}, ${report.visibility}, ${item.live_url ?? report.url}\nCode ${report.code}, current ${current}. Files: ${files}`;
    return { data, text };
  },
});

const listWorkspaces = defineTool({
  name: "list_workspaces",
  title: "List workspaces",
  description:
    "Show the user and their workspaces (their own first, then organizations), with used and available storage. Reports, folders and tags belong to one workspace.",
  annotations: READS,
  input: z.strictObject({}),
  output: z.object({
    user: z.string().describe("Slug of the user."),
    workspaces: z.array(
      z.object({
        slug: z.string().describe("Pass it as owner."),
        kind: z.enum(["user", "org"]),
        display_name: z.string().nullable(),
        role: z.string(),
        plan: z.string(),
        stored_bytes: z.int(),
        quota_bytes: z.int(),
      }),
    ),
  }),
  async run(_, { client }) {
    const { user, workspaces } = await client.call(accountRoute);
    const lines = workspaces.map(
      ({ slug, role, stored_bytes: stored, quota_bytes: quota }) => `${slug} (${role}): ${stored} of ${quota} bytes`,
    );
    return { data: { user: user.slug, workspaces }, text: [`The user is ${user.slug}.`, ...lines].join("\n") };
  },
});

export const findingTools: readonly McpTool[] = [
  listReports,
  searchReports,
  listSharedReports,
  showReport,
  listWorkspaces,
];
