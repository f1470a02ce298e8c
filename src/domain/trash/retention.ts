import { authorizeGoverned, authorizeWorkspace } from "../model/access.ts";
import { newId } from "../model/codes.ts";
import { workspaceNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { forbidden, notFound } from "../model/failure.ts";
import type { Clock, Random } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import { isSamePlace } from "./limits.ts";
import type { DuePlace, DueVersion, PlannedRule, RetentionPlace, RetentionRule, RetentionStore } from "./ports.ts";

interface Dependencies {
  store: { trash: RetentionStore };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
}

/** What a rule would delete now. */
export interface RetentionPreview {
  reports: number;
  versions: number;
  bytes: number;
  /** The first of them, by report and number. */
  entries: DueVersion[];
}

/** Versions read at a time. */
const PAGE = 1_000;
/** Versions that a preview lists. */
const PREVIEWED = 1_000;

/** The place before all versions. */
export const START: DuePlace = { itemId: 0, versionNo: 0 };

/** Creates the service for the rules that delete old versions. */
export function createRetention({ store: { trash }, events, clock, random }: Dependencies) {
  /** Returns the rules of a workspace. Throws `NotFound`. */
  async function list(caller: Caller, owner: string): Promise<RetentionRule[]> {
    return trash.listRetention(requireMember(caller, owner).id);
  }

  /** Sets the rule of a workspace, folder or tag. Throws `NotFound` or `Forbidden`. */
  async function set(caller: Caller, owner: string, rule: PlannedRule): Promise<void> {
    const workspace = requireGoverned(caller, owner);
    const change = { workspace, ...rule, userId: caller.userId, id: newId(random, "ret"), now: clock.now() };
    if (!(await trash.setRetention(change))) throw noSuchPlace(rule.place);
    publish(workspace.id);
  }

  /** Removes the rule of a workspace, folder or tag. Returns whether there was one. Throws `NotFound` or `Forbidden`. */
  async function remove(caller: Caller, owner: string, place: RetentionPlace): Promise<boolean> {
    const workspace = requireGoverned(caller, owner);
    const isRemoved = await trash.removeRetention({ workspace, place });
    if (isRemoved) publish(workspace.id);
    return isRemoved;
  }

  /** Returns what a rule would delete now beside the other rules, and changes nothing. Throws `NotFound` or `Forbidden`. */
  async function preview(caller: Caller, owner: string, rule: PlannedRule): Promise<RetentionPreview> {
    const workspace = requireGoverned(caller, owner);
    if (!(await trash.hasRetentionPlace({ workspace, place: rule.place }))) throw noSuchPlace(rule.place);
    const others = (await trash.listRetention(workspace.id)).filter(({ place }) => !isSamePlace(place, rule.place));
    const planned = { rules: [...others, rule], only: rule.place };
    const found: RetentionPreview = { reports: 0, versions: 0, bytes: 0, entries: [] };
    const now = clock.now();
    let lastItem: number | undefined;
    for (let after: DuePlace | undefined = START; after !== undefined; ) {
      const page = await trash.previewRetention({ workspaceId: workspace.id, ...planned, after, limit: PAGE, now });
      for (const version of page.due) {
        if (version.itemId !== lastItem) found.reports++;
        lastItem = version.itemId;
        found.versions++;
        found.bytes += version.size;
        if (found.entries.length < PREVIEWED) found.entries.push(version);
      }
      after = page.next;
    }
    return found;
  }

  const publish = (workspaceId: string) => events.publish({ kind: "workspaceChanged", workspaceId, about: "settings" });

  function requireMember(caller: Caller, owner: string) {
    const workspace = authorizeWorkspace(caller, owner);
    if (workspace === undefined) throw workspaceNotFound(owner, caller);
    return workspace;
  }

  function requireGoverned(caller: Caller, owner: string) {
    const governed = authorizeGoverned(requireMember(caller, owner));
    if (governed === undefined) {
      throw forbidden("Only owners and admins of the organization can change what it keeps. Ask one of them.");
    }
    return governed;
  }

  return { list, set, remove, preview };
}

export type Retention = ReturnType<typeof createRetention>;

const noSuchPlace = (place: RetentionPlace) => {
  const [field, id] =
    place.kind === "tag" ? ["tag_id", place.id] : ["folder_id", place.kind === "folder" ? place.id : ""];
  return notFound(`${field} ${quote(id)} not found. Check the ID and that it is in this workspace.`);
};
