import type { Instant } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import type { Plan } from "../model/plans.ts";
import type { Clock } from "../model/ports.ts";
import type { Clearing } from "../operations/clearing.ts";
import type { Task } from "../operations/schedule.ts";
import { type BinDependencies, createBin } from "./bins.ts";
import { publishChanges } from "./changes.ts";
import type { DuePlace, RetentionStore, TrashStore } from "./ports.ts";
import { START } from "./retention.ts";

const HOUR = 60 * 60_000;
/** Entries or versions that one transaction deletes, so that neither other writers nor the event loop wait long. */
const DELETED_AT_ONCE = 200;
/** Workspaces read at a time. */
const WORKSPACES_AT_ONCE = 200;

interface Dependencies extends BinDependencies {
  store: {
    trash: Pick<TrashStore, "purgeExpired"> &
      Pick<RetentionStore, "listRetained" | "findDueVersions" | "applyRetention">;
  };
  operations: { clearing: Pick<Clearing, "clearSoon"> };
  events: Pick<Events, "publish">;
  clock: Clock;
}

/** Creates the background tasks that empty the trash and apply retention rules. */
export function createTrashUpkeep(dependencies: Dependencies) {
  const { operations, events, clock } = dependencies;
  const { trash } = dependencies.store;

  /** Deletes expired entries permanently. Returns how many. */
  async function purgeExpired(signal: AbortSignal): Promise<number> {
    for (let purged = 0; ; ) {
      signal.throwIfAborted();
      const { entries, codes } = await trash.purgeExpired({ now: clock.now(), limit: DELETED_AT_ONCE });
      operations.clearing.clearSoon(codes);
      purged += entries;
      if (entries === 0) return purged;
    }
  }

  /** Deletes the versions that retention rules don't keep. Returns how many. */
  async function applyRules(signal: AbortSignal): Promise<number> {
    let deleted = 0;
    for (let after = ""; ; ) {
      const workspaces = await trash.listRetained({ after, limit: WORKSPACES_AT_ONCE });
      for (const workspace of workspaces) deleted += await applyIn(workspace, signal);
      const last = workspaces.at(-1);
      if (last === undefined || workspaces.length < WORKSPACES_AT_ONCE) return deleted;
      after = last.id;
    }
  }

  async function applyIn({ id: workspaceId, plan }: { id: string; plan: Plan }, signal: AbortSignal): Promise<number> {
    let deleted = 0;
    const now = clock.now();
    for (let after: DuePlace | undefined = START; after !== undefined; ) {
      signal.throwIfAborted();
      const page = await trash.findDueVersions({ workspaceId, after, limit: DELETED_AT_ONCE, now });
      const codes = page.due.map(({ code }) => code);
      if (codes.length > 0) deleted += await deleteDue({ workspaceId, plan, codes, now });
      after = page.next;
    }
    return deleted;
  }

  async function deleteDue(due: { workspaceId: string; plan: Plan; codes: readonly string[]; now: Instant }) {
    const { workspaceId, plan, codes, now } = due;
    const bin = createBin(dependencies, { plan, count: codes.length, now });
    const outcome = await trash.applyRetention({ workspaceId, codes, bin, now });
    if (outcome.codes.length === 0) return 0;
    publishChanges(events, workspaceId, outcome);
    operations.clearing.clearSoon(outcome.purged);
    return outcome.codes.length;
  }

  const tasks: readonly Task[] = [
    {
      name: "trash",
      every: HOUR,
      async run(signal) {
        const purged = await purgeExpired(signal);
        if (purged === 0) return undefined;
        return `Deleted ${purged === 1 ? "1 expired entry" : `${purged} expired entries`} of the trash.`;
      },
    },
    {
      name: "retention",
      every: HOUR,
      async run(signal) {
        const deleted = await applyRules(signal);
        if (deleted === 0) return undefined;
        return `Deleted ${deleted === 1 ? "1 version" : `${deleted} versions`} by retention rules.`;
      },
    },
  ];

  return { tasks };
}
