import * as z from "zod";
import { PLACES, THREAD_STATES } from "../../domain/reviews/anchor.ts";
import { COMMENT_CHARACTERS } from "../../domain/reviews/limits.ts";
import { code, instant, label, reportName, requestedId } from "../model/common.ts";
import { creator, userSlug, versionNo } from "../model/fields.ts";
import { anchor } from "./anchor.ts";

const THREAD_ID = "thr_Q3ZzD1mB0kXa7TgH";
const COMMENT_ID = "com_v7RkW0dGm4HsE1xP";

export const threadId = z.string().meta({ description: "The thread's ID.", examples: [THREAD_ID] });
export const commentId = z.string().meta({ description: "The comment's ID.", examples: [COMMENT_ID] });
export const requestedThreadId = requestedId.meta({ description: "The thread's ID.", examples: [THREAD_ID] });
export const requestedCommentId = requestedId.meta({ description: "The comment's ID.", examples: [COMMENT_ID] });

export const commentText = label(COMMENT_CHARACTERS).meta({
  description: `Plain text with a little Markdown: emphasis, code, lists and links. \`@slug\` mentions a person who can read the report. 1 to ${COMMENT_CHARACTERS} characters.`,
  examples: ["@ada, is this figure before returns?"],
});

const author = z
  .object({
    slug: userSlug.nullable().meta({ description: "The user's slug. Null for guests and deleted accounts." }),
    name: z.string().nullable().meta({ description: "The name shown to people. Null if none is known." }),
    is_guest: z.boolean().meta({ description: "Whether a guest wrote it, who chose the name." }),
  })
  .meta({ id: "CommentAuthor" });

export const comment = z
  .object({
    id: commentId,
    author,
    text: z.string().meta({ description: "Plain text with a little Markdown. Empty if the comment was deleted." }),
    mentions: z.array(userSlug).meta({ description: "The slugs of the people it mentions." }),
    created_at: instant,
    edited_at: instant.nullable().meta({ description: "When it was last edited. Null if never." }),
    deleted: z.boolean().meta({ description: "Whether it was deleted. Its place in the thread stays." }),
    is_own: z.boolean().meta({ description: "Whether the caller wrote it." }),
  })
  .meta({ id: "Comment" });

export type CommentEntry = z.output<typeof comment>;

const place = z
  .object({
    kind: z.enum(PLACES).meta({
      description:
        "`exact`: the same, at the same place. `moved`: the same, elsewhere. `changed`: something similar, at its place. `gone`: not there. `unknown`: can't be decided from the files, because scripts draw the page.",
    }),
    text: z.string().optional().meta({ description: "The text at that place now, if it changed." }),
    start: z.int().min(0).optional(),
    end: z.int().min(0).optional(),
  })
  .meta({ id: "ThreadPlace", description: "The thread's place in the requested version." });

export const thread = z
  .object({
    id: threadId,
    report: z.object({
      name: reportName.nullable().meta({ description: "The report's name. Null for an unnamed report." }),
      code: code.meta({ description: "The code of the report's current version." }),
    }),
    anchor,
    version_no: versionNo.meta({ description: "The version on which the thread was started." }),
    version_code: code.nullable().meta({ description: "That version's code. Null if the version was deleted." }),
    only_version: z.boolean().meta({ description: "Whether it is about that version only." }),
    state: z.enum(THREAD_STATES),
    resolved_by: creator.meta({ description: "Who resolved it. Null if it is open, or the account was deleted." }),
    resolved_at: instant.nullable(),
    addressed_in: versionNo.nullable().meta({
      description: "The version whose publisher says that it addresses this thread. Null if no version does.",
    }),
    comments: z.array(comment).meta({ description: "The comments, oldest first." }),
    comment_count: z.int().min(0).meta({ description: "Number of comments that are not deleted." }),
    unread: z.int().min(0).meta({ description: "Number of comments that the caller has not read." }),
    place: place.nullable().meta({ description: "Null if places were not requested." }),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: "CommentThread" });

export type ThreadEntry = z.output<typeof thread>;

const count = z.int().min(0);

export const commentCounts = z
  .object({
    open: count.meta({ description: "Threads that are open and not addressed." }),
    addressed: count.meta({ description: "Open threads that a version addresses." }),
    resolved: count,
    unread: count.meta({ description: "Threads with comments that the caller has not read." }),
  })
  .meta({ id: "CommentCounts" });

export const changesCursor = z
  .string()
  .meta({ description: "Pass as `since` to get what changes after this response.", examples: ["42"] });
