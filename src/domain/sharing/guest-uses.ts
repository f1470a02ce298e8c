import type { Instant } from "../model/entities.ts";
import type { Clock, OperatorLog } from "../model/ports.ts";
import type { GuestLinkStore, GuestUses } from "./guest-ports.ts";

/** Milliseconds for which openings are collected in memory. */
const INTERVAL = 5_000;

interface Dependencies {
  store: { sharing: Pick<GuestLinkStore, "addGuestUses"> };
  clock: Clock;
  wait(milliseconds: number): Promise<void>;
  log: OperatorLog;
}

/** Creates the count of openings, which reach the database in batches. A killed server loses those of the last seconds. */
export function createGuestUses({ store, clock, wait, log }: Dependencies) {
  let collected = new Map<string, GuestUses>();
  let isWaiting = false;

  /** Counts an opening of a link. */
  function note(id: string): void {
    add({ id, count: 1, lastAt: clock.now() });
    storeSoon();
  }

  function add({ id, count, lastAt }: GuestUses): void {
    const known = collected.get(id);
    collected.set(id, { id, count: (known?.count ?? 0) + count, lastAt: Math.max(lastAt, known?.lastAt ?? 0) });
  }

  function storeSoon(): void {
    if (isWaiting) return;
    isWaiting = true;
    void wait(INTERVAL).then(() => {
      isWaiting = false;
      return settled();
    });
  }

  /** Stores what is collected. If that fails, it stays collected. */
  async function settled(): Promise<void> {
    if (collected.size === 0) return;
    const uses = [...collected.values()];
    collected = new Map();
    try {
      await store.sharing.addGuestUses({ uses });
    } catch (error) {
      log.warn({ message: "Openings of guest links could not be stored yet.", error });
      for (const one of uses) add(one);
      storeSoon();
    }
  }

  /** Returns the openings of a link that aren't stored yet. */
  const pending = (id: string): { count: number; lastAt: Instant | undefined } => ({
    count: collected.get(id)?.count ?? 0,
    lastAt: collected.get(id)?.lastAt,
  });

  return { note, pending, settled };
}

export type GuestUseCounter = ReturnType<typeof createGuestUses>;
