import * as z from "zod";
import { GUEST_NAME_CHARACTERS, WAIT_SECONDS } from "../../domain/reviews/limits.ts";
import { label, requestedCode, text } from "../model/common.ts";
import { requestedAnchor } from "./anchor.ts";
import { changesCursor, commentText, requestedThreadId, thread } from "./fields.ts";

const name = label(GUEST_NAME_CHARACTERS);

/** What the page of a guest link sends to start a thread. */
export const guestThread = z.object({ code: requestedCode, anchor: requestedAnchor, text: commentText, name });

/** What it sends to reply. */
export const guestReply = z.object({ id: requestedThreadId, text: commentText, name });

/** What it asks for, in the query. */
export const guestListQuery = z.object({ cursor: text(4000).optional() });
export const guestWaitQuery = z.object({
  since: text(40),
  seconds: z.coerce.number().min(0).max(WAIT_SECONDS).default(WAIT_SECONDS),
});

/** What it gets. */
export const guestThreads = z.object({
  threads: z.array(thread),
  next_cursor: z.string().nullable(),
  changes_cursor: changesCursor,
  enabled: z.boolean(),
  may_comment: z.boolean(),
  may_manage: z.boolean(),
});
