import type { Gossip } from "../../domain/event-ports.ts";
import { countedKey, createBatch, urgencyOf } from "../shared-counts.ts";

export interface SocketLimits {
  /** Sockets at once; 0 for no limit. */
  total: number;
  /** The same from one address. */
  perAddress: number;
}

/** Stands for all addresses together. */
const TOTAL = "";

interface Parts {
  limits: SocketLimits;
  /** What is counted together at all copies of the program. */
  topic: string;
  gossip: Gossip;
}

/** Counts sockets, also those of other copies as far as these are heard of, so that nobody can take all of them. */
export function createSocketCount({ limits: { total, perAddress }, topic, gossip }: Parts) {
  const counts = new Map<string, number>();
  /** Of the other copies. */
  const others = new Map<string, Map<string, number>>();
  const isLimited = total > 0 || perAddress > 0;
  /** What is going to be told when this turn of the event loop is over. */
  let next: { keys: Set<string>; told: Promise<unknown> } | undefined;

  const noteReleased = createBatch(urgencyOf(perAddress), (changes) => tell(changes.map(([key]) => key)));
  gossip.listen(topic, (facts, from) => {
    if (from === gossip.ownId) return [];
    const theirs = others.get(from) ?? new Map<string, number>();
    others.set(from, theirs);
    for (const [key, count] of facts) set(theirs, key, count);
    return [];
  });
  gossip.whenJoined(() => void tell([...counts.keys()]));
  gossip.whenGone((copy) => void others.delete(copy));

  /** Not what has changed but what it is now, so that a word that is lost does no lasting harm. */
  const tell = (keys: Iterable<string>): Promise<unknown> =>
    gossip.tell(
      topic,
      [...keys].map((key) => [key, counts.get(key) ?? 0]),
    );

  function tellSoon(key: string): Promise<unknown> {
    if (next === undefined) {
      const keys = new Set([TOTAL]);
      const told = Promise.resolve().then(() => {
        next = undefined;
        return tell(keys);
      });
      next = { keys, told };
    }
    next.keys.add(key);
    return next.told;
  }

  function everywhere(key: string): number {
    let sum = counts.get(key) ?? 0;
    for (const theirs of others.values()) sum += theirs.get(key) ?? 0;
    return sum;
  }

  /** Whether there are at least so many more than there may be. */
  const exceeds = (key: string, by: number) =>
    (total > 0 && everywhere(TOTAL) >= total + by) || (perAddress > 0 && everywhere(key) >= perAddress + by);

  function change(key: string, by: 1 | -1): void {
    for (const counted of [key, TOTAL]) set(counts, counted, (counts.get(counted) ?? 0) + by);
  }

  /**
   * Whether there is room for one more; if so, it is counted until it is released. What other copies have said before
   * they heard of it comes first, so that of two that take the last place one is refused.
   */
  async function take(address: string): Promise<boolean> {
    const key = countedKey(address);
    if (exceeds(key, 0)) return false;
    change(key, 1);
    if (!isLimited) return true;
    await tellSoon(key);
    if (!exceeds(key, 1)) return true;
    release(address);
    return false;
  }

  function release(address: string): void {
    const key = countedKey(address);
    change(key, -1);
    if (!isLimited) return;
    noteReleased(key);
    noteReleased(TOTAL);
  }

  return { take, release };
}

function set(counts: Map<string, number>, key: string, count: number): void {
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
