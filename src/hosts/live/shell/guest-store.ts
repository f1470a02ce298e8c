import type { CommentStore } from "../../../look/comments/client/model.ts";
import { createRequests } from "../../../look/comments/client/requests.ts";

interface GuestStore {
  /** What proves that the guest may open the link. */
  headers: Record<string, string>;
  /** The code of the version that is shown now, on which new threads are started. */
  shownCode(): string;
}

const NOT_FOR_GUESTS = async () => ({ error: "Guests can't change comments." });

/** Keeps comments through a guest link, without cookies: the page also works in a frame of another site. */
export function createGuestStore({ headers, shownCode }: GuestStore): CommentStore {
  const { act, list, wait } = createRequests("", { headers, credentials: "omit" });
  let changesCursor: string | undefined;

  async function load(): ReturnType<CommentStore["load"]> {
    const { content, error } = await list("~comments?");
    if (content === undefined) return { error };
    changesCursor = content.changes_cursor;
    return {
      threads: content.threads,
      commenting: content.may_comment ? { may: "comment", asGuest: true } : { may: "read" },
      isEnabled: content.enabled,
      mayManage: false,
    };
  }

  return {
    load,
    findPeople: async () => [],
    start: (anchor, text, { guestName: name }) => act("~comment", { code: shownCode(), anchor, text, name }),
    reply: (id, text, name) => act("~reply", { id, text, name }),
    edit: NOT_FOR_GUESTS,
    remove: NOT_FOR_GUESTS,
    setState: NOT_FOR_GUESTS,
    setEnabled: NOT_FOR_GUESTS,
    // The server doesn't record what guests have read.
    markRead: async () => ({}),
    waitForChange: async (signal) =>
      changesCursor === undefined ? false : wait("~comment-changes?", changesCursor, signal),
  };
}
