import { workspaceNotFound } from "../model/common-failures.ts";
import type { Caller, DefaultVisibility } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { invalid } from "../model/failure.ts";
import { quote } from "../model/quote.ts";
import { noLongerGoverning } from "./account.ts";
import { requireGoverning } from "./members.ts";
import type { AccountStore } from "./ports.ts";

interface Dependencies {
  store: { people: Pick<AccountStore, "setDefaultVisibility"> };
  events: Pick<Events, "publish">;
}

/** Creates the service for the settings of an organization's workspace. */
export function createWorkspaceSettings({ store: { people }, events }: Dependencies) {
  /**
   * Sets who can read new reports whose upload names no visibility. Throws `NotFound`, `Forbidden`, or `Invalid` for a
   * person's workspace.
   */
  async function setDefaultVisibility(caller: Caller, owner: string, visibility: DefaultVisibility): Promise<void> {
    const workspace = caller.memberships.find(({ slug }) => slug === owner);
    if (workspace === undefined) throw workspaceNotFound(owner, caller);
    if (workspace.kind !== "org") {
      throw invalid(`owner ${quote(owner)} is a person's workspace. Only organizations have a default visibility.`);
    }
    requireGoverning(workspace);
    const change = { workspaceId: workspace.id, userId: caller.userId, visibility };
    if (!(await people.setDefaultVisibility(change))) throw noLongerGoverning();
    events.publish({ kind: "workspaceChanged", workspaceId: workspace.id, about: "settings" });
  }

  return { setDefaultVisibility };
}

export type WorkspaceSettings = ReturnType<typeof createWorkspaceSettings>;
