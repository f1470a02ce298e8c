import { z } from "zod";
import {
  commentsRoute,
  createThreadRoute,
  replyRoute,
  resolveThreadRoute,
  type ThreadEntry,
  waitForCommentsRoute,
} from "../../client/routes.ts";
import type { TextAnchor } from "../../html/anchors/anchor.ts";
import { describeText } from "../../html/anchors/describe.ts";
import { pageOfHtml } from "../../html/anchors/page-of-html.ts";
import type { Fence } from "../fence.ts";
import { type Found, findReport, findVersionReport } from "../references.ts";
import { pageLimit, REPORT_ALIASES, report } from "../schemas.ts";
import { counted } from "../text.ts";
import { ADDS, ARRANGES, defineTool, type McpTool, READS, type ToolContext } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { downloadWhole, fileOf } from "./reading.ts";

/** The largest page in which a quote is looked up, in bytes. */
const LARGEST_PAGE = 1024 * 1024;

const INDEX = "index.html";
const threadId = z.string().min(1).max(200);
const cursor = z.string().max(4000).optional();

const threads = z.array(
  z.object({
    thread: z.string(),
    state: z.string(),
    version_no: z.int(),
    addressed_in: z.int().nullable(),
    path: z.string().nullable(),
    quote: z.string().nullable(),
    place: z.string().nullable(),
    now: z.string().optional(),
    comments: z.array(z.object({ author: z.string(), text: z.string(), created_at: z.string() })),
  }),
);

const counts = z.object({ open: z.int(), addressed: z.int(), resolved: z.int() });

function threadOf(entry: ThreadEntry): z.input<typeof threads>[number] {
  const { anchor, place } = entry;
  return {
    thread: entry.id,
    state: entry.state,
    version_no: entry.version_no,
    addressed_in: entry.addressed_in,
    path: anchor.kind === "report" ? null : anchor.path,
    quote: quoteOf(entry),
    // A comment on the whole report has no place in it.
    place: anchor.kind === "report" ? null : (place?.kind ?? null),
    ...(place?.text === undefined ? {} : { now: place.text }),
    comments: entry.comments
      .filter(({ deleted }) => !deleted)
      .map(({ author, text, created_at }) => ({ author: author.slug ?? author.name ?? "unknown", text, created_at })),
  };
}

function quoteOf({ anchor }: ThreadEntry): string | null {
  if (anchor.kind === "text") return anchor.quote;
  return anchor.kind === "element" ? anchor.label : null;
}

const describeThreads = (fence: Fence, given: z.input<typeof threads>, none: string): string =>
  given.length === 0 ? none : fence(JSON.stringify(given, null, 1)).text;

/** Says how many threads there are in each state, so that none seems to be gone because the list leaves it out. */
function describeCounts({ open, addressed, resolved }: z.input<typeof counts>, state: string): string {
  const all = `Of the report: ${open} left to do, ${addressed} addressed by a version but not resolved, ${resolved} resolved.`;
  return state === "all" || addressed + resolved === 0 ? all : `${all} Pass state "all" to list them all.`;
}

const referenceOf = ({ reference, versionCode }: Found) =>
  versionCode === undefined ? reference : { code: versionCode };

const listComments = defineTool({
  name: "list_comments",
  title: "List comments",
  description:
    "List comment threads of a report: those left to do (open, and no version addresses them), or others by state. Each has its quote, its version and its place in the current one.",
  annotations: READS,
  input: z.strictObject({
    report,
    state: z.enum(["unaddressed", "open", "resolved", "all"]).default("unaddressed"),
    limit: pageLimit,
    cursor,
  }),
  aliases: REPORT_ALIASES,
  output: z.object({ threads, counts, next_cursor: z.string().nullable(), changes_cursor: z.string() }),
  async run({ report: text, ...rest }, { client, fence }) {
    const found = await findReport(client, text);
    const page = await client.call(commentsRoute, { query: { ...referenceOf(found), ...rest, version: 0 } });
    const { next_cursor, changes_cursor } = page;
    const { open, addressed, resolved } = page.counts;
    const listed = { threads: page.threads.map(threadOf), counts: { open, addressed, resolved } };
    const data = { ...listed, next_cursor, changes_cursor };
    const none = rest.state === "unaddressed" ? "No comments are left to do." : "No comments.";
    const more = next_cursor === null ? "" : ` There are more: pass cursor ${JSON.stringify(next_cursor)}.`;
    return {
      data,
      text: describeThreads(fence, data.threads, none),
      note: `${counted(data.threads.length, "thread")}. ${describeCounts(data.counts, rest.state)} changes_cursor: ${changes_cursor}.${more}`,
    };
  },
});

const comment = defineTool({
  name: "comment",
  title: "Comment",
  description: "Comment on a report or on a text of it, or reply to a thread.",
  annotations: ADDS,
  input: z
    .strictObject({
      report: report.optional(),
      thread: threadId.optional().describe("To reply, instead of report."),
      text: z.string().min(1).max(10_000),
      quote: z.string().min(1).max(1000).optional().describe("Text to comment on; must occur once."),
      path: z.string().max(1000).optional().describe("The quote's page (default: index.html)."),
    })
    .refine((given) => (given.report === undefined) !== (given.thread === undefined), {
      message: "pass exactly one of report and thread",
    }),
  output: z.object({ thread: z.string(), version_no: z.int() }),
  async run({ report: name, thread, text, quote, path = INDEX }, context) {
    const { client } = context;
    const entry =
      name === undefined
        ? await client.call(replyRoute, { body: { id: thread ?? "", text } })
        : await client.call(createThreadRoute, { body: { ...(await start(context, name, { quote, path })), text } });
    return { data: { thread: entry.id, version_no: entry.version_no }, text: `Commented in thread ${entry.id}.` };
  },
});

async function start(context: ToolContext, name: string, { quote, path }: { quote: string | undefined; path: string }) {
  const { client } = context;
  if (quote === undefined) return referenceOf(await findReport(client, name));
  const version = await findVersionReport(client, name);
  const file = fileOf(version, path);
  if (file.size > LARGEST_PAGE) throw new ToolError(`${path} is too large for a quote. Comment without one.`);
  const html = await (await downloadWhole(client, version.code, path)).text();
  const anchor = await context.turns(async () => anchorOf(html, path, quote));
  return { code: version.code, anchor };
}

/** Returns the anchor of the only place with the quote. Throws `ToolError`. */
function anchorOf(html: string, path: string, quote: string): TextAnchor {
  const page = pageOfHtml(html);
  const words = quote.trim().replace(/\s+/g, " ");
  // Positions stay the same, because each line break and tab of the text is one character.
  const text = page.text.replace(/\s/g, " ");
  const start = text.indexOf(words);
  const anchor = start < 0 ? undefined : describeText(page, path, start, start + words.length);
  if (anchor === undefined) throw new ToolError(`${path} doesn't have the quote. Copy it from read_report.`);
  if (text.indexOf(words, start + 1) >= 0)
    throw new ToolError("The quote occurs several times. Pass more of the text.");
  return anchor;
}

const resolveComment = defineTool({
  name: "resolve_comment",
  title: "Resolve a comment",
  description: "Resolve a thread. One that a version addresses (publish_version) stays open until someone resolves it.",
  annotations: ARRANGES,
  input: z.strictObject({ thread: threadId }),
  output: z.object({ thread: z.string(), state: z.string() }),
  async run({ thread: id }, { client }) {
    const { state } = await client.call(resolveThreadRoute, { body: { id } });
    return { data: { thread: id, state }, text: `Thread ${id} is ${state}.` };
  },
});

const waitForComments = defineTool({
  name: "wait_for_comments",
  title: "Wait for comments",
  description: "Wait until threads of a report change. Returns them, and the cursor to go on with.",
  annotations: READS,
  input: z.strictObject({
    report,
    cursor: cursor.describe("The changes_cursor of an earlier result (default: from now on)."),
    seconds: z.number().min(0).max(55).default(50),
  }),
  aliases: REPORT_ALIASES,
  output: z.object({ threads, changes_cursor: z.string() }),
  async run({ report: text, cursor: given, seconds }, { client, fence }) {
    const query = referenceOf(await findReport(client, text));
    const since = given ?? (await client.call(commentsRoute, { query: { ...query, limit: 1 } })).changes_cursor;
    const changes = await client.call(waitForCommentsRoute, { query: { ...query, since, seconds } });
    const data = { threads: changes.threads.map(threadOf), changes_cursor: changes.changes_cursor };
    return {
      data,
      text: describeThreads(fence, data.threads, "Nothing has changed."),
      note: `changes_cursor: ${data.changes_cursor}. Pass it as cursor to go on.`,
    };
  },
});

export const commentTools: readonly McpTool[] = [listComments, comment, resolveComment, waitForComments];
