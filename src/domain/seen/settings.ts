import { governs } from "../model/access.ts";
import { workspaceNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { forbidden } from "../model/failure.ts";
import type { SeenBy } from "../model/seen-by.ts";
import type { SeenStore } from "./ports.ts";

/** Records deleted by one transaction. */
const REMOVED = 2_000;

interface Dependencies {
  store: { seen: Pick<SeenStore, "setSeenBy" | "removeUnwantedSeen"> };
  events: Pick<Events, "publish">;
}

/** Creates the service for what a workspace records about readers. */
export function createSeenSettings({ store: { seen }, events }: Dependencies, load: () => Promise<void>) {
  /**
   * Sets what a workspace records, and deletes what it may no longer have: the names for `counts`, everything for `off`.
   * Throws `NotFound` or `Forbidden`.
   */
  async function set(caller: Caller, owner: string, seenBy: SeenBy): Promise<void> {
    const workspace = caller.memberships.find(({ slug }) => slug === owner);
    if (workspace === undefined) throw workspaceNotFound(owner, caller);
    if (!governs(workspace)) throw notAllowed();
    const { id: workspaceId } = workspace;
    // An earlier change may have been interrupted before it deleted everything.
    await removeUnwanted(workspaceId);
    if (!(await seen.setSeenBy({ workspaceId, userId: caller.userId, seenBy }))) throw notAllowed();
    events.publish({ kind: "workspaceChanged", workspaceId, about: "settings" });
    await removeUnwanted(workspaceId);
    await load();
  }

  async function removeUnwanted(workspaceId: string): Promise<void> {
    while ((await seen.removeUnwantedSeen({ workspaceId, limit: REMOVED })) === REMOVED);
  }

  return { set };
}

const notAllowed = () => forbidden("Only owners and admins of the workspace can do this. Ask one of them.");
