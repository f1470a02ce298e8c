import * as z from "zod";
import { COMMENTS_PER_PAGE, COMMENTS_PER_REPORT, WAIT_SECONDS } from "../../domain/reviews/limits.ts";
import { instant, nothing, pageLimit, text } from "../model/common.ts";
import { hasOneReference, ONE_REFERENCE, reference } from "../model/references.ts";
import { defineRoute } from "../model/route.ts";
import { requestedAnchor } from "./anchor.ts";
import {
  changesCursor,
  comment,
  commentCounts,
  commentText,
  requestedCommentId,
  requestedThreadId,
  thread,
} from "./fields.ts";

const PAGE_DEFAULT = 50;
const PAGE_MAXIMUM = 200;

export const noSuchReport = "The report does not exist, or the caller cannot access it.";
const noSuchThread = "The thread does not exist, or the caller cannot access its report.";
const noScope = "The access token does not have the scope `reports:write`.";
const mayNotComment =
  "The access token does not have the scope `reports:write`, or the report's owner has turned comments off.";

const since = text(40).optional().meta({
  description: "Only threads that changed after the response with this `changes_cursor`.",
});

export const commentsRoute = defineRoute({
  method: "GET",
  path: "/api/comments",
  id: "comments",
  summary: "List comments",
  description:
    "Returns the comment threads of a report, oldest first, by its `name`, or by the `code` of one of its versions. With `version`, each thread has its place in that version. Callers who can read only one version get the threads that were started on it.",
  scope: "reports:read",
  query: z
    .object({
      ...reference,
      state: z.enum(["unaddressed", "open", "resolved", "all"]).default("all").meta({
        description:
          "`unaddressed`: open, and no version says that it addresses them. `open`: both kinds of open threads.",
      }),
      version: z.coerce
        .number("must be a number")
        .int("must be a whole number")
        .min(0, "must be at least 0")
        .max(1_000_000_000, "is too large")
        .optional()
        .meta({ description: "The number of the version in which places are looked up. 0 is the current version." }),
      since,
      limit: pageLimit(PAGE_MAXIMUM)
        .default(PAGE_DEFAULT)
        .meta({
          description: `Maximum number of threads per page. A page has at most ${COMMENTS_PER_PAGE} comments.`,
        }),
      cursor: text(4000).optional().meta({ description: "The `next_cursor` of the previous page of the same list." }),
    })
    .refine(hasOneReference, ONE_REFERENCE),
  body: nothing,
  response: z
    .object({
      threads: z.array(thread).meta({ description: "The threads, oldest first." }),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: "Pass as `cursor` to get the next page. Null on the last page." }),
      counts: commentCounts,
      changes_cursor: changesCursor,
      enabled: z.boolean().meta({ description: "Whether the report takes comments." }),
      may_comment: z.boolean().meta({ description: "Whether the caller can comment on it." }),
      may_manage: z
        .boolean()
        .meta({ description: "Whether the caller can delete any comment, and turn comments on and off." }),
    })
    .meta({ id: "CommentList" }),
  failures: { 400: "A field is invalid, or the report has no such version.", 404: noSuchReport },
});

export type CommentListEntry = z.output<typeof commentsRoute.response>;

export const waitForCommentsRoute = defineRoute({
  method: "GET",
  path: "/api/comments/wait",
  id: "waitForComments",
  summary: "Wait for comments",
  description: `Responds as soon as threads of a report change after \`since\`, or after \`seconds\`. Pass the new \`changes_cursor\` to go on. Changes are added comments and edits, and threads that were resolved, reopened or deleted.`,
  scope: "reports:read",
  query: z
    .object({
      ...reference,
      since: text(40).meta({
        description: "The `changes_cursor` of an earlier response. `0` for all changes.",
      }),
      seconds: z.coerce
        .number("must be a number")
        .min(0, `must be between 0 and ${WAIT_SECONDS}`)
        .max(WAIT_SECONDS, `must be between 0 and ${WAIT_SECONDS}`)
        .default(WAIT_SECONDS)
        .meta({ description: `The longest time to wait, in seconds. At most ${WAIT_SECONDS}.` }),
    })
    .refine(hasOneReference, ONE_REFERENCE),
  body: nothing,
  response: z
    .object({
      threads: z.array(thread).meta({ description: "The threads that changed, at most 200, without their places." }),
      changes_cursor: changesCursor,
      counts: commentCounts,
    })
    .meta({ id: "CommentChanges" }),
  failures: { 404: noSuchReport },
});

export const commentThreadRoute = defineRoute({
  method: "GET",
  path: "/api/comments/thread",
  id: "commentThread",
  summary: "Retrieve a thread",
  description: "Returns one thread with all its comments.",
  scope: "reports:read",
  query: z.object({ id: requestedThreadId }),
  body: nothing,
  response: thread,
  failures: { 404: noSuchThread },
});

export const createThreadRoute = defineRoute({
  method: "POST",
  path: "/api/comments/create",
  id: "createThread",
  summary: "Start a thread",
  description: `Comments on a report, or on a text or an element of one of its pages. With \`code\`, the thread is started on that version, otherwise on the current one. A report can have ${COMMENTS_PER_REPORT} comments.`,
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      ...reference,
      anchor: requestedAnchor.default({ kind: "report" }),
      text: commentText,
      only_version: z
        .boolean()
        .default(false)
        .meta({ description: "Whether the thread is about this version only, and not shown with later ones." }),
    })
    .refine(hasOneReference, ONE_REFERENCE)
    .meta({ id: "CreateThread", examples: [{ name: "weekly-sales", text: "Are these figures final?" }] }),
  response: thread,
  failures: { 400: "A field is invalid, or the report has too many comments.", 403: mayNotComment, 404: noSuchReport },
});

export const replyRoute = defineRoute({
  method: "POST",
  path: "/api/comments/reply",
  id: "reply",
  summary: "Reply to a thread",
  description: "Adds a comment to a thread. The caller has then read the thread.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ id: requestedThreadId, text: commentText }).meta({ id: "Reply" }),
  response: thread,
  failures: { 400: "A field is invalid, or there are too many comments.", 403: mayNotComment, 404: noSuchThread },
});

const noSuchComment = "The comment does not exist, or the caller cannot access its report.";

export const editCommentRoute = defineRoute({
  method: "POST",
  path: "/api/comments/edit",
  id: "editComment",
  summary: "Edit a comment",
  description:
    "Replaces the text of one of the caller's comments. With `expected_edited_at`, only if it was not edited since.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      id: requestedCommentId,
      text: commentText,
      expected_edited_at: instant.nullable().optional().meta({
        description: "The `edited_at` of the comment that the caller has seen. Otherwise the response is 409.",
      }),
    })
    .meta({ id: "EditComment" }),
  response: comment,
  failures: {
    403: "The comment is someone else's, or the report's owner has turned comments off.",
    404: noSuchComment,
    409: "The comment was edited or deleted meanwhile.",
  },
});

export const deleteCommentRoute = defineRoute({
  method: "POST",
  path: "/api/comments/delete",
  id: "deleteComment",
  summary: "Delete a comment",
  description:
    "Deletes one of the caller's comments; those who control the report can delete any. A thread without comments is deleted with its last one. Deleting a comment again has no effect.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ id: requestedCommentId }).meta({ id: "DeleteComment" }),
  response: z.object({
    ok: z.literal(true),
    thread_deleted: z.boolean().meta({ description: "Whether the thread had no other comments and is gone." }),
  }),
  failures: { 403: "The comment is someone else's, and the caller does not control the report.", 404: noSuchComment },
});

export const resolveThreadRoute = defineRoute({
  method: "POST",
  path: "/api/comments/resolve",
  id: "resolveThread",
  summary: "Resolve a thread",
  description: "Marks a thread as resolved, also while comments are turned off. Resolving it again has no effect.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ id: requestedThreadId }).meta({ id: "ResolveThread" }),
  response: thread,
  failures: { 403: noScope, 404: noSuchThread },
});

export const reopenThreadRoute = defineRoute({
  method: "POST",
  path: "/api/comments/reopen",
  id: "reopenThread",
  summary: "Reopen a thread",
  description: "Opens a resolved thread again, also one that a version addresses. Reopening an open one has no effect.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ id: requestedThreadId }).meta({ id: "ReopenThread" }),
  response: thread,
  failures: { 403: noScope, 404: noSuchThread },
});

export const readCommentsRoute = defineRoute({
  method: "POST",
  path: "/api/comments/read",
  id: "readComments",
  summary: "Mark comments as read",
  description: "Marks threads of a report as read by the caller: those in `ids`, or all that they can see.",
  scope: "reports:read",
  query: nothing,
  body: z
    .object({
      ...reference,
      ids: z.array(requestedThreadId).max(PAGE_MAXIMUM, `must have at most ${PAGE_MAXIMUM} threads`).optional(),
    })
    .refine(hasOneReference, ONE_REFERENCE)
    .meta({ id: "ReadComments", examples: [{ name: "weekly-sales" }] }),
  response: z.object({ ok: z.literal(true), unread: z.int().min(0) }),
  failures: { 404: noSuchReport },
});
