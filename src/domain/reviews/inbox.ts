import type { Cursors } from "../model/cursors.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import type { Clock } from "../model/ports.ts";
import type { InboxPlace, InboxRecord, ReviewStore } from "./ports.ts";
import type { Scopes } from "./scopes.ts";

/** Unread entries that are counted. */
const COUNTED_UNREAD = 200;

interface Dependencies {
  store: { reviews: ReviewStore };
  events: Pick<Events, "publish">;
  clock: Clock;
  cursors: Cursors<InboxPlace>;
}

/** Creates the service for what concerns a person. */
export function createInbox({ store: { reviews }, events, clock, cursors }: Dependencies, scopes: Scopes) {
  /** Leaves out entries of reports that the caller can no longer read. */
  async function readable(caller: Caller, records: readonly InboxRecord[]): Promise<InboxRecord[]> {
    const known = new Map<string, Promise<boolean>>();
    const mayRead = (record: InboxRecord): Promise<boolean> => {
      const key = `${record.itemId} ${record.versionNo}`;
      const asked =
        known.get(key) ??
        scopes.ofThread(caller, { ...record, id: record.threadId }).then((found) => found !== undefined);
      known.set(key, asked);
      return asked;
    };
    const isReadable = await Promise.all(records.map(mayRead));
    return records.filter((_, index) => isReadable[index]);
  }

  /** Returns one page, newest first. Throws `Invalid` for the cursor of another list. */
  async function list(
    caller: Caller,
    { isUnread, limit, cursor }: { isUnread: boolean; limit: number; cursor: string | undefined },
  ): Promise<{ entries: InboxRecord[]; nextCursor: string | null; unread: number }> {
    const { userId } = caller;
    const question = JSON.stringify([userId, isUnread]);
    const after = cursor === undefined ? undefined : cursors.decode(question, cursor);
    const [page, unread] = await Promise.all([
      reviews.listInbox({ userId, isUnread, after, limit: limit + 1 }),
      reviews.listInbox({ userId, isUnread: true, after: undefined, limit: COUNTED_UNREAD }),
    ]);
    const entries = page.slice(0, limit);
    const last = page.length > limit ? entries.at(-1) : undefined;
    return {
      entries: await readable(caller, entries),
      nextCursor: last === undefined ? null : cursors.encode(question, { createdAt: last.createdAt, id: last.id }),
      unread: (await readable(caller, unread)).length,
    };
  }

  async function markRead({ userId }: Caller, ids: readonly string[] | undefined): Promise<void> {
    await reviews.markInboxRead({ userId, ids, now: clock.now() });
    events.publish({ kind: "accountChanged", userId });
  }

  const getsMail = ({ userId }: Caller): Promise<boolean> => reviews.findMailSetting(userId);

  const setMail = ({ userId }: Caller, mail: boolean): Promise<void> => reviews.setMailSetting({ userId, mail });

  /** Returns the newest unread entries, also of reports that the person can no longer read. */
  const listUnread = (userId: string) =>
    reviews.listInbox({ userId, isUnread: true, after: undefined, limit: COUNTED_UNREAD });

  return { list, readable, listUnread, markRead, getsMail, setMail };
}

export type Inbox = ReturnType<typeof createInbox>;
