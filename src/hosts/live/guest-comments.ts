import { guestListQuery, guestReply, guestThread, guestWaitQuery } from "../../contract/reviews/guest-comments.ts";
import { notFound } from "../../domain/model/failure.ts";
import { JSON_BODY_BYTES } from "../../domain/model/limits.ts";
import type { GuestReviews } from "../../domain/reviews/guests.ts";
import type { Thread } from "../../domain/reviews/ports.ts";
import type { OpenGuestLink } from "../../domain/sharing/guest-ports.ts";
import { parseJson, type ReadBody } from "../http/body.ts";
import { threadEntry } from "../http/reviews/entries.ts";
import { validate } from "../http/validation.ts";

/** Threads of one answer. */
const PAGE = 200;

interface Dependencies {
  reviews: GuestReviews;
  readBody: ReadBody;
}

/** A request about the comments of a link that takes some, which the guest may open. */
export interface GuestCommentRequest {
  request: Request;
  part: string;
  /** The client's address, for limits. */
  address: string;
  link: OpenGuestLink;
  /** Returns the link as it is now; undefined if the guest may no longer open it. */
  find(): Promise<OpenGuestLink | undefined>;
}

/** Creates the answers to what the page of a guest link asks about comments. */
export function createGuestComments({ reviews, readBody }: Dependencies) {
  const bodyOf = async (request: Request) => parseJson(await readBody(request, JSON_BODY_BYTES));
  const queryOf = ({ url }: Request) => Object.fromEntries(new URL(url).searchParams);

  /** Returns undefined for other parts of a link. Throws what the service throws. */
  async function answer(asked: GuestCommentRequest): Promise<object | undefined> {
    const { request, part, link } = asked;
    if (request.method === "POST") {
      if (part === "~comment") return entryOf(await reviews.create(link, validate(guestThread, await bodyOf(request))));
      if (part === "~reply") return entryOf(await reviews.reply(link, validate(guestReply, await bodyOf(request))));
    } else if (part === "~comments") return list(link, validate(guestListQuery, queryOf(request)).cursor);
    else if (part === "~comment-changes") return wait(asked);
    return undefined;
  }

  async function list(link: OpenGuestLink, cursor: string | undefined) {
    const found = await reviews.list(link, { filter: "all", since: undefined, limit: PAGE, cursor });
    return {
      threads: found.threads.map(entryOf),
      next_cursor: found.nextCursor,
      changes_cursor: String(found.seq),
      enabled: found.isEnabled,
      may_comment: found.isEnabled,
      may_manage: false,
    };
  }

  async function wait({ request, address, find }: GuestCommentRequest) {
    const open = async () => {
      const link = await find();
      if (link?.takesComments !== true) throw notFound("This link doesn't work. Ask for a new one.");
      return link;
    };
    const { seq } = await reviews.wait(open, `guest at ${address}`, validate(guestWaitQuery, queryOf(request)));
    return { changes_cursor: String(seq) };
  }

  return answer;
}

/** Leaves out the report's name and who resolved a thread. The server doesn't record what guests have read. */
const entryOf = (thread: Thread) => ({
  ...threadEntry({ ...thread, report: { ...thread.report, name: null }, resolver: null }),
  unread: 0,
});
