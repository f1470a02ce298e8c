import { authorizeReadVersion, mayReadItem, mayReadVersion } from "../model/access.ts";
import { reportNotFound } from "../model/common-failures.ts";
import type { Caller, Membership, Shortcut } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import type { Clock } from "../model/ports.ts";
import type { ReportStore } from "../reports/ports.ts";
import { requireWorkspace } from "./cabinet.ts";
import type { CabinetStore, ListedShortcut } from "./ports.ts";

interface Dependencies {
  store: { cabinet: CabinetStore; reports: ReportStore };
  events: Pick<Events, "publish">;
  clock: Clock;
}

/** Creates the service for a user's shortcuts in a workspace. */
export function createShortcuts({ store: { cabinet, reports }, events, clock }: Dependencies) {
  const publishChange = ({ id: workspaceId }: Membership, { userId }: Caller) =>
    events.publish({ kind: "workspaceChanged", workspaceId, about: "shortcuts", userId });

  /** Returns the shortcuts whose target the caller may read. Throws `NotFound` if the caller isn't a member. */
  async function list(caller: Caller, owner: string): Promise<ListedShortcut[]> {
    const { id } = requireWorkspace(caller, owner);
    const all = await cabinet.listShortcuts({ workspaceId: id, userId: caller.userId });
    return all.filter(({ kind, found }) => {
      if (found === undefined) return true;
      return kind === "group" ? mayReadItem(caller, found) : mayReadVersion(caller, found);
    });
  }

  /** Adds a shortcut. Throws `NotFound` if the target doesn't exist or the caller may not read it. */
  async function add(caller: Caller, owner: string, shortcut: Shortcut): Promise<void> {
    const workspace = requireWorkspace(caller, owner);
    const found = await findReport(caller, shortcut);
    if (isToReport(shortcut) && found?.item.workspaceId !== workspace.id) {
      throw reportNotFound(shortcut.kind === "group" ? { name: shortcut.ref } : { code: shortcut.ref });
    }
    await cabinet.addShortcut({ workspace, userId: caller.userId, ...shortcut, now: clock.now() });
    publishChange(workspace, caller);
  }

  async function findReport(caller: Caller, { kind, ref }: Shortcut) {
    if (kind === "report") return authorizeReadVersion(caller, await reports.findVersion(ref, caller));
    const found = kind === "group" ? await reports.findNamedReport(ref, caller) : undefined;
    return found && mayReadItem(caller, found) ? found : undefined;
  }

  /** Removes a shortcut. Returns whether it existed. Throws `NotFound` if the caller isn't a member. */
  async function remove(caller: Caller, owner: string, shortcut: Shortcut): Promise<boolean> {
    const workspace = requireWorkspace(caller, owner);
    const wasThere = await cabinet.removeShortcut({ workspace, userId: caller.userId, ...shortcut });
    if (wasThere) publishChange(workspace, caller);
    return wasThere;
  }

  return { list, add, remove };
}

export type Shortcuts = ReturnType<typeof createShortcuts>;

const isToReport = ({ kind }: Shortcut) => kind === "group" || kind === "report";
