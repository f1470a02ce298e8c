import { z } from "zod";
import { readTaxonomy } from "../../client/labels.ts";
import { accountRoute, reportRoute } from "../../client/routes.ts";
import { quoteTitle } from "../fence.ts";
import { describeMatch } from "../match-text.ts";
import { drawerBeside, type Filters, findMatches, noteOnWords, SORTS } from "../matches.ts";
import { decodePlaces, encodePlaces } from "../places.ts";
import { describeReaders, readers, readersOf } from "../readers.ts";
import { findReport, ifAnswered } from "../references.ts";
import {
  code,
  filters,
  name,
  owner,
  pageLimit,
  REPORT_ALIASES,
  report,
  storage,
  tags,
  visibility,
} from "../schemas.ts";
import { describeTags } from "../tags.ts";
import { minute } from "../text.ts";
import { defineTool, type McpTool, READS } from "../tool.ts";

export const nextCursor = z.string().nullable();
export const cursor = z.string().max(4000).optional().describe("next_cursor of the previous page.");
export const kind = z.enum(["group", "report"]);

const searchReports = defineTool({
  name: "search_reports",
  title: "Search or list reports",
  description:
    "List the user's reports, or those that match all given filters. Doesn't search inside reports (read_report with find does), nor what other people share (list_shared_reports).",
  annotations: READS,
  input: z.strictObject({
    ...filters,
    sort: z.enum(SORTS).optional().describe('Default "updated": newest first. "-" reverses.'),
    owner: owner.describe("Workspace slug (default: all)."),
    limit: pageLimit,
    cursor,
  }),
  aliases: { tag_ids: "tags", folder_id: "folder", drawer_id: "folder" },
  output: z.object({
    reports: z.array(
      z.object({
        kind,
        name: name.optional(),
        code,
        title: z.string(),
        owner: z.string(),
        visibility,
        current_visibility: visibility,
        version_count: z.int(),
        folder: z.string().nullable(),
        tags,
        creator: z.string().nullable(),
        created_at: z.string(),
        updated_at: z.string(),
        url: z.string(),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async run({ owner: requested, sort, limit, cursor: given, ...filter }, { client }) {
    const start = given === undefined ? undefined : decodePlaces(given);
    const { matches, next } = await findMatches(client, filter, { owner: requested, sort, limit, start });
    const reports = matches.map(
      ({ creator, folder_id: _, drawer_id: _drawer, thumbnail_url: _thumbnail, tag_labels: _labels, ...match }) => ({
        ...match,
        creator: creator?.slug ?? null,
      }),
    );
    const encoded = next === undefined ? null : encodePlaces(next);
    const beside = await drawerBeside(client, requested, filter.folder);
    const notes = [
      ...(matches.length === 0 ? [] : [noteOnWords(filter).trim()]),
      ...(beside === undefined
        ? []
        : [`This is the folder. For the drawer, use folder ${quoteTitle(`${beside.title}/`)}.`]),
      ...(encoded === null ? [] : [describeNext(encoded)]),
    ];
    return {
      data: { reports, next_cursor: encoded },
      text: matches.length === 0 ? describeNone(filter, encoded === null) : matches.map(describeMatch).join("\n"),
      note: notes.join(" ").trim() || undefined,
    };
  },
});

/** Says why there may be no matches, so that an agent doesn't conclude that the user has no such report. */
function describeNone(filters: Filters, isAtEnd: boolean): string {
  if (!isAtEnd) return "None of the reports searched so far match.";
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
  if (!isFiltered) return "No reports. What other people share is in list_shared_reports.";
  return `No reports match all of these filters.${noteOnWords(filters)} What other people share is in list_shared_reports.`;
}

/** Says how to get the next page. */
export const describeNext = (next: string | null) =>
  next === null ? undefined : `There are more reports. Use cursor ${next}.`;

const showReport = defineTool({
  name: "show_report",
  title: "Show a report",
  description:
    "Show a report's title, links, folder, tags, versions and files, and who can read it: people and guest links too. For the content, use read_report.",
  annotations: READS,
  input: z.strictObject({ report }),
  aliases: REPORT_ALIASES,
  output: z.object({
    kind,
    name: name.optional(),
    code,
    current_code: code,
    title: z.string(),
    note: z.string().nullable(),
    version_no: z.int(),
    version_count: z.int(),
    owner: z.string(),
    visibility,
    storage,
    folder: z.string().nullable(),
    folder_id: z.string().nullable(),
    tags,
    created_at: z.string(),
    updated_at: z.string(),
    url: z.string(),
    live_url: z.string().optional(),
    may_control: z.boolean(),
    files: z.array(z.object({ path: z.string(), size: z.int(), media_type: z.string() })),
    ...readers.partial().shape,
  }),
  async run({ report: text }, { client, now }) {
    const { item, versionCode } = await findReport(client, text);
    const who = item.may_control ? await readersOf(client, item, { now: now() }) : undefined;
    const version = await client.call(reportRoute, { query: { code: versionCode ?? item.code } });
    const { owner_slug: slug, code: current, current_visibility: _, ...described } = item;
    const data = {
      ...described,
      code: version.code,
      current_code: current,
      title: version.title,
      note: version.note,
      version_no: version.version_no,
      visibility: version.visibility,
      storage: version.storage,
      owner: slug,
      url: version.url,
      created_at: version.created_at,
      files: version.files,
      ...who,
    };
    // Only members can read it.
    const taxonomy = item.tags.length > 0 ? await ifAnswered(readTaxonomy(client, slug)) : undefined;
    const isCurrent = version.code === current ? "current" : `not current; ${current} is`;
    const lines = [
      `${item.name ?? version.code}: ${quoteTitle(version.title)}, version ${version.version_no} of ${item.version_count} (code ${version.code}, ${isCurrent})`,
      `Published ${minute(version.created_at)}, ${version.visibility}, workspace ${slug}, folder ${item.folder === null ? "none" : quoteTitle(item.folder)}, tags ${describeTags(item.tags, taxonomy) ?? "none"}`,
      ...(version.note === null ? [] : [`Note: ${quoteTitle(version.note)}`]),
      ...(item.live_url === undefined ? [] : [`Live link: ${item.live_url}`]),
      `Version link: ${version.url}`,
      ...(who === undefined ? [] : [describeReaders(who)]),
      `Files: ${version.files.map(({ path, size }) => `${path} (${size} bytes)`).join(", ")}`,
    ];
    return { data, text: lines.join("\n") };
  },
});

const listWorkspaces = defineTool({
  name: "list_workspaces",
  title: "List workspaces",
  description:
    "Show who the user is and their workspaces, their own first, then organizations, with used and available storage.",
  annotations: READS,
  input: z.strictObject({}),
  output: z.object({
    user: z.string(),
    workspaces: z.array(
      z.object({
        slug: z.string(),
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
      ({ slug, role, display_name: shown, stored_bytes: stored, quota_bytes: quota }) =>
        `${slug}${shown === null ? "" : ` ${quoteTitle(shown)}`} (${role}): ${stored} of ${quota} bytes`,
    );
    return { data: { user: user.slug, workspaces }, text: [`The user is ${user.slug}.`, ...lines].join("\n") };
  },
});

export const findingTools: readonly McpTool[] = [searchReports, showReport, listWorkspaces];
