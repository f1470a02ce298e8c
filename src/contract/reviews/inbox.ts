import * as z from "zod";
import { code, instant, nothing, pageLimit, reportName, requestedId, text } from "../model/common.ts";
import { displayName, reportTitle, userSlug } from "../model/fields.ts";
import { hasOneReference, ONE_REFERENCE, reference } from "../model/references.ts";
import { defineRoute } from "../model/route.ts";
import { commentCounts, commentId, threadId } from "./fields.ts";
import { noSuchReport } from "./threads.ts";

const PAGE_DEFAULT = 50;
const PAGE_MAXIMUM = 200;

export const commentCountsRoute = defineRoute({
  method: "GET",
  path: "/api/comments/counts",
  id: "commentCounts",
  summary: "Count comments",
  description:
    "Returns the numbers of open, addressed, resolved and unread threads of a report, of those that the caller can see.",
  scope: "reports:read",
  query: z.object(reference).refine(hasOneReference, ONE_REFERENCE),
  body: nothing,
  response: commentCounts,
  failures: { 404: noSuchReport },
});

export const mentionCandidatesRoute = defineRoute({
  method: "GET",
  path: "/api/comments/people",
  id: "mentionCandidates",
  summary: "List people to mention",
  description: "Returns people who can read the report and whose name or slug has `q`, at most 20.",
  scope: "reports:read",
  query: z
    .object({ ...reference, q: text(100).default("").meta({ description: "A part of the name or slug." }) })
    .refine(hasOneReference, ONE_REFERENCE),
  body: nothing,
  response: z.object({
    people: z.array(z.object({ slug: userSlug, display_name: displayName }).meta({ id: "MentionCandidate" })),
  }),
  failures: { 404: noSuchReport },
});

export const commentSettingsRoute = defineRoute({
  method: "POST",
  path: "/api/comments/settings",
  id: "setCommentSettings",
  summary: "Turn comments on or off",
  description:
    "Sets whether a report takes comments. Turned off, existing comments stay readable. Requires control of the report.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ ...reference, enabled: z.boolean() })
    .refine(hasOneReference, ONE_REFERENCE)
    .meta({ id: "SetCommentSettings", examples: [{ name: "weekly-sales", enabled: false }] }),
  response: z.object({ ok: z.literal(true), enabled: z.boolean() }),
  failures: { 403: "The caller does not control the report.", 404: noSuchReport },
});

const inboxEntry = z
  .object({
    id: z.string().meta({ description: "The entry's ID.", examples: ["inb_Q3ZzD1mB0kXa7TgH"] }),
    kind: z.enum(["mention", "reply", "comment"]).meta({
      description:
        "`mention`: the comment mentions the caller. `reply`: to a thread in which the caller commented. `comment`: a new thread on a report that the caller made.",
    }),
    thread_id: threadId,
    comment_id: commentId,
    report: z.object({ name: reportName.nullable(), code, title: reportTitle }),
    author: z.object({ slug: userSlug.nullable(), name: z.string().nullable(), is_guest: z.boolean() }),
    excerpt: z.string().meta({ description: "The start of the comment." }),
    created_at: instant,
    read: z.boolean(),
  })
  .meta({ id: "InboxEntry" });

export type InboxEntry = z.output<typeof inboxEntry>;

export const inboxRoute = defineRoute({
  method: "GET",
  path: "/api/inbox",
  id: "inbox",
  summary: "List the inbox",
  description:
    "Returns comments that concern the caller, newest first. Entries of reports that the caller can no longer read are left out.",
  scope: "reports:read",
  query: z.object({
    unread: z.enum(["true", "false"]).default("false").meta({ description: "Whether to return unread entries only." }),
    limit: pageLimit(PAGE_MAXIMUM).default(PAGE_DEFAULT).meta({ description: "Maximum number of entries per page." }),
    cursor: text(4000).optional().meta({ description: "The `next_cursor` of the previous page of the same list." }),
  }),
  body: nothing,
  response: z
    .object({
      entries: z.array(inboxEntry),
      next_cursor: z.string().nullable(),
      unread: z.int().min(0).meta({ description: "Number of unread entries, at most 200." }),
    })
    .meta({ id: "Inbox" }),
  failures: {},
});

export const readInboxRoute = defineRoute({
  method: "POST",
  path: "/api/inbox/read",
  id: "readInbox",
  summary: "Mark inbox entries as read",
  description: "Marks entries of the inbox as read: those in `ids`, or all.",
  scope: "reports:read",
  query: nothing,
  body: z
    .object({ ids: z.array(requestedId).max(PAGE_MAXIMUM, `must have at most ${PAGE_MAXIMUM} entries`).optional() })
    .meta({ id: "ReadInbox" }),
  response: z.object({ ok: z.literal(true) }),
  failures: {},
});

const notificationSettings = z
  .object({
    mail: z.boolean().meta({ description: "Whether the caller gets mail about unread entries of their inbox." }),
    can_mail: z
      .boolean()
      .meta({ description: "Whether the server sends mail and the address of the caller is verified." }),
  })
  .meta({ id: "NotificationSettings" });

export const notificationSettingsRoute = defineRoute({
  method: "GET",
  path: "/api/settings/notifications",
  id: "notificationSettings",
  summary: "Retrieve notification settings",
  description: "Returns what the caller is notified of by mail.",
  scope: "reports:read",
  query: nothing,
  body: nothing,
  response: notificationSettings,
  failures: {},
});

export const setNotificationsRoute = defineRoute({
  method: "POST",
  path: "/api/settings/set-notifications",
  id: "setNotifications",
  summary: "Set notification settings",
  description: "Sets what the caller is notified of by mail.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ mail: z.boolean() }).meta({ id: "SetNotifications" }),
  response: notificationSettings,
  failures: {},
});

export const mailOffRoute = defineRoute({
  method: "POST",
  path: "/api/settings/mail-off",
  id: "mailOff",
  summary: "Turn mail off with a signed link",
  description:
    "Turns mail about unread entries of an inbox off. Requires no authentication, because mail programs call it with the address in the header `List-Unsubscribe` ([RFC 8058](https://www.rfc-editor.org/rfc/rfc8058)).",
  scope: null,
  query: z.object({
    user: text(100).meta({ description: "Whose mail it is, as in the signed address." }),
    signature: text(100).meta({ description: "The server's signature, as in the signed address." }),
  }),
  body: nothing,
  response: z.object({ ok: z.literal(true) }),
  failures: { 400: "The server did not sign the address." },
});
