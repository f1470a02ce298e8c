import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { invalid } from "../model/failure.ts";
import type { Clock } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import type { ItemStore } from "../reports/ports.ts";
import type { ReadScope, ReviewStore } from "./ports.ts";
import type { Scopes } from "./scopes.ts";

interface Dependencies {
  store: {
    reports: Pick<ItemStore, "findVersion">;
    reviews: Pick<ReviewStore, "listKnown" | "setAddressed">;
  };
  events: Pick<Events, "publish">;
  clock: Clock;
}

/** Threads of a report that its next version addresses. */
export interface AddressedThreads {
  scope: ReadScope;
  ids: readonly string[];
}

/** Creates the service that notes which version addresses which comments. */
export function createAddressing({ store, events, clock }: Dependencies, scopes: Scopes) {
  const { reports, reviews } = store;

  /** Returns undefined if there are none. Throws `Invalid` for threads that aren't in the report, or `NotFound`. */
  async function find(
    caller: Caller,
    { name, ids = [] }: { name: string | undefined; ids: readonly string[] | undefined },
  ): Promise<AddressedThreads | undefined> {
    if (ids.length === 0) return undefined;
    if (name === undefined)
      throw invalid("name is required if addresses is set, because only a new version addresses comments.");
    const { scope } = await scopes.find(caller, { name });
    const known = new Set(await reviews.listKnown({ scope, ids }));
    const unknown = ids.find((id) => !known.has(id));
    if (unknown !== undefined) {
      throw invalid(
        `addresses ${quote(unknown)} isn't a thread of report ${quote(name)}. List its comments for their IDs.`,
      );
    }
    return { scope, ids: [...known] };
  }

  /** Notes that a version addresses the threads. */
  async function mark(caller: Caller, addressed: AddressedThreads | undefined, code: string): Promise<void> {
    if (addressed === undefined) return;
    const { scope, ids } = addressed;
    const published = await reports.findVersion(code, caller);
    if (published === undefined) return;
    await reviews.setAddressed({ scope, ids, versionNo: published.version.versionNo, now: clock.now() });
    events.publish({ kind: "commentsChanged", itemId: scope.itemId });
  }

  return { find, mark };
}

export type Addressing = ReturnType<typeof createAddressing>;
