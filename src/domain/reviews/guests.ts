import { reportNotFound } from "../model/common-failures.ts";
import { authorizeGuestReviews } from "../model/review-access.ts";
import type { ItemStore } from "../reports/ports.ts";
import type { OpenGuestLink } from "../sharing/guest-ports.ts";
import type { Anchor } from "./anchor.ts";
import type { ReviewStore, Thread } from "./ports.ts";
import { type Reviewed, threadNotFound } from "./scopes.ts";
import type { ThreadList, ThreadRequest, ThreadService } from "./threads.ts";
import type { ThreadChanges, Waiting, WaitRequest } from "./waiting.ts";

interface Dependencies {
  store: {
    reports: Pick<ItemStore, "findVersion">;
    reviews: Pick<ReviewStore, "findNewestAt" | "findThread">;
  };
}

/** Creates the service for comments by guests, who see what their open link may show. They can't change what they wrote. */
export function createGuestReviews({ store }: Dependencies, threads: ThreadService, { waitIn }: Waiting) {
  /** Returns what the guests of a link see: threads of all versions that it has shown, or of its only one. */
  async function reviewedBy({ isLive, createdAt, shown }: OpenGuestLink): Promise<Reviewed> {
    const since = isLive ? await store.reviews.findNewestAt({ itemId: shown.item.id, at: createdAt }) : null;
    return { scope: authorizeGuestReviews(shown, since), current: shown, shown };
  }

  const list = async (link: OpenGuestLink, request: ThreadRequest): Promise<ThreadList> =>
    threads.listIn(await reviewedBy(link), request);

  /** Starts a thread on a version that the link has shown. Throws `NotFound`, `Forbidden`, `Invalid` or `TooManyRequests`. */
  async function create(
    link: OpenGuestLink,
    { code, name, anchor, text }: { code: string; name: string; anchor: Anchor; text: string },
  ): Promise<Thread> {
    const reviewed = await reviewedBy(link);
    const shown = await shownBy(reviewed, code);
    const author = { guest: { name, linkId: link.id } };
    return threads.createIn({ ...reviewed, shown }, author, { anchor, text, isOnlyVersion: false });
  }

  /** Returns a version. Throws `NotFound` if guests may not comment on it. */
  async function shownBy({ scope, shown }: Reviewed, code: string) {
    if (code === shown.version.code) return shown;
    const found = await store.reports.findVersion(code);
    const isShown = found?.item.id === scope.itemId && found.version.createdAt >= (scope.guestSince ?? Infinity);
    if (found === undefined || !isShown) throw reportNotFound({ code });
    return found;
  }

  /** Throws as `create` does. */
  async function reply(
    link: OpenGuestLink,
    { id, name, text }: { id: string; name: string; text: string },
  ): Promise<Thread> {
    const reviewed = await reviewedBy(link);
    if ((await store.reviews.findThread({ scope: reviewed.scope, id })) === undefined) throw threadNotFound(id);
    return threads.replyIn(reviewed, { guest: { name, linkId: link.id } }, { threadId: id, text });
  }

  /** Waits for changes as members do. `find` returns the link while it is open, and throws `NotFound` afterwards. */
  const wait = (find: () => Promise<OpenGuestLink>, waiter: string, request: WaitRequest): Promise<ThreadChanges> =>
    waitIn(async () => reviewedBy(await find()), waiter, request);

  return { list, create, reply, wait };
}

export type GuestReviews = ReturnType<typeof createGuestReviews>;
