import { rightsOf } from "../model/access.ts";
import { workspaceNotFound } from "../model/common-failures.ts";
import type { Caller, Membership } from "../model/entities.ts";
import type { FoundItem, ItemsStore, LargestItem } from "./ports.ts";

export interface ControlledItem extends LargestItem {
  /** Whether the caller may delete it. */
  mayControl: boolean;
}

interface Dependencies {
  store: { search: ItemsStore };
}

/** Creates the lists of reports of one workspace that need no search: requested ones, and the largest. */
export function createItemLists({ store: { search } }: Dependencies) {
  /** Returns those of the requested reports that the caller may read, in their order. Throws `NotFound`. */
  async function find(
    caller: Caller,
    owner: string,
    { names, codes }: { names: readonly string[]; codes: readonly string[] },
  ): Promise<FoundItem[]> {
    return search.findItems({ ...inWorkspace(caller, owner), names, codes });
  }

  /** Returns the reports that take up the most space, of those the caller may read. Throws `NotFound`. */
  async function largest(caller: Caller, owner: string, limit: number): Promise<ControlledItem[]> {
    const { workspaceId, reader } = inWorkspace(caller, owner);
    const items = await search.listLargest({ workspaceId, reader, limit });
    return items.map((item) => ({ ...item, mayControl: rightsOf(reader, [item.creatorId]).mayControl }));
  }

  return { find, largest };
}

export type ItemLists = ReturnType<typeof createItemLists>;

function inWorkspace(caller: Caller, owner: string) {
  const membership: Membership | undefined = caller.memberships.find(({ slug }) => slug === owner);
  if (membership === undefined) throw workspaceNotFound(owner, caller);
  return { workspaceId: membership.id, reader: { userId: caller.userId, role: membership.role } };
}
