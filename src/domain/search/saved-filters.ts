import { requireWorkspace } from "../cabinet/cabinet.ts";
import { authorizeCabinets } from "../model/access.ts";
import { newId } from "../model/codes.ts";
import { idNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { invalid } from "../model/failure.ts";
import { SAVED_FILTERS } from "../model/limits.ts";
import type { Clock, Random } from "../model/ports.ts";
import type { SavedFilter, SavedFilterStore } from "./ports.ts";

interface Dependencies {
  store: { search: SavedFilterStore };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
}

/** Creates the service for the searches that a user keeps in a workspace. */
export function createSavedFilters({ store: { search }, events, clock, random }: Dependencies) {
  // The portal reads both lists again, because replicas of the release before know only shortcuts.
  const publishChange = (workspaceId: string, { userId }: Caller) =>
    events.publish({ kind: "workspaceChanged", workspaceId, about: "shortcuts", userId });

  const ownFilter = (caller: Caller, id: string) => ({
    id,
    userId: caller.userId,
    cabinets: authorizeCabinets(caller),
  });

  /** Returns the caller's filters, oldest first. Throws `NotFound` if they aren't a member. */
  const list = async (caller: Caller, owner: string): Promise<SavedFilter[]> =>
    search.listFilters({ workspaceId: requireWorkspace(caller, owner).id, userId: caller.userId });

  /** Adds a filter. Throws `NotFound`, or `Invalid` if the caller has too many. */
  async function add(
    caller: Caller,
    owner: string,
    { title, query }: Pick<SavedFilter, "title" | "query">,
  ): Promise<SavedFilter> {
    const workspace = requireWorkspace(caller, owner);
    const filter = { id: newId(random, "flt"), title, query, createdAt: clock.now() };
    if (!(await search.addFilter({ workspace, userId: caller.userId, filter, limit: SAVED_FILTERS }))) {
      throw invalid(`You have ${SAVED_FILTERS} saved filters in this workspace, which is the limit. Remove one first.`);
    }
    publishChange(workspace.id, caller);
    return filter;
  }

  /** Changes the title of a filter. Throws `NotFound`. */
  async function rename(caller: Caller, id: string, title: string): Promise<void> {
    const workspaceId = await search.renameFilter({ ...ownFilter(caller, id), title });
    if (workspaceId === undefined) throw idNotFound("Saved filter", id);
    publishChange(workspaceId, caller);
  }

  /** Removes a filter. Returns whether it existed. */
  async function remove(caller: Caller, id: string): Promise<boolean> {
    const workspaceId = await search.removeFilter(ownFilter(caller, id));
    if (workspaceId !== undefined) publishChange(workspaceId, caller);
    return workspaceId !== undefined;
  }

  return { list, add, rename, remove };
}

export type SavedFilters = ReturnType<typeof createSavedFilters>;
