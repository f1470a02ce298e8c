import type { Caller } from "../model/entities.ts";
import { invalid } from "../model/failure.ts";
import { quote } from "../model/quote.ts";
import type { ReadScope, ReviewStore } from "./ports.ts";
import type { Scopes } from "./scopes.ts";

interface Dependencies {
  store: { reviews: Pick<ReviewStore, "listKnown"> };
}

/** Threads of a report that its next version addresses. */
export interface AddressedThreads {
  scope: ReadScope;
  ids: readonly string[];
}

/** Creates the service that finds the comments that a version is to address. */
export function createAddressing({ store: { reviews } }: Dependencies, scopes: Scopes) {
  /** Returns undefined without threads. Throws `Invalid` for threads that aren't in the report, or `NotFound`. */
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

  return { find };
}

export type Addressing = ReturnType<typeof createAddressing>;
