import * as z from "zod";
import { GUEST_NAME_CHARACTERS } from "../../domain/reviews/limits.ts";
import { label, text } from "../model/common.ts";
import { requestedAnchor } from "./anchor.ts";
import { commentText, requestedThreadId } from "./fields.ts";

/** What the page of a guest link sends to list threads, to `~comments`. */
export const guestCommentsQuery = z.object({ cursor: text(4000).optional(), since: text(40).optional() });

/** What the page of a guest link sends to comment, to `~comment`: a new thread with an anchor, or a reply to `thread`. */
export const guestComment = z
  .object({
    name: label(GUEST_NAME_CHARACTERS).meta({ description: "The name that the guest gives." }),
    text: commentText,
    anchor: requestedAnchor.optional(),
    thread: requestedThreadId.optional(),
  })
  .refine(({ anchor, thread }) => anchor === undefined || thread === undefined, "Specify either anchor or thread");
