import type { Gossip } from "../../domain/model/events.ts";
import { countedKey, createBatch, urgencyOf } from "../http/shared-counts.ts";

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
  /** Of this copy: those that were given a place, and with them those that still wait to hear whether there is one. */
  const admitted = new Map<string, number>();
  const claimed = new Map<string, number>();
  /** Of the other copies, as far as heard of. */
  const others = new Map<string, Map<string, number>>();
  const isLimited = total > 0 || perAddress > 0;
  /** What is going to be told when this turn of the event loop is over. */
  let next: { keys: Set<string>; told: Promise<ReadonlyMap<string, number> | undefined> } | undefined;

  const noteReleased = createBatch(urgencyOf(perAddress), (changes) => tell(changes.map(([key]) => key)));
  gossip.listen(topic, (facts, from) => {
    if (from === gossip.ownId) return facts.map(([key]) => elsewhere(key));
    const theirs = others.get(from) ?? new Map<string, number>();
    others.set(from, theirs);
    for (const [key, count] of facts) set(theirs, key, count);
    return [];
  });
  gossip.whenJoined(() => void tell([...claimed.keys()]));
  gossip.whenGone((copy) => void others.delete(copy));

  function elsewhere(key: string): number {
    let sum = 0;
    for (const theirs of others.values()) sum += theirs.get(key) ?? 0;
    return sum;
  }

  /**
   * Says how many there are now, not what has changed, so that a word that is lost does no lasting harm. Resolves to how
   * many the others had said to have before they heard of it, or undefined when that cannot be said.
   */
  async function tell(keys: readonly string[]): Promise<ReadonlyMap<string, number> | undefined> {
    const before = await gossip.tell(
      topic,
      keys.map((key) => [key, claimed.get(key) ?? 0]),
    );
    return before && new Map(keys.map((key, index) => [key, before[index] ?? 0]));
  }

  function tellSoon(key: string): Promise<ReadonlyMap<string, number> | undefined> {
    if (next === undefined) {
      const keys = new Set([TOTAL]);
      const told = Promise.resolve().then(() => {
        next = undefined;
        return tell([...keys]);
      });
      next = { keys, told };
    }
    next.keys.add(key);
    return next.told;
  }

  /** Whether, with so many here and elsewhere, one of the limits of an address has been reached. */
  function isFull(key: string, countOf: (key: string) => number): boolean {
    return (total > 0 && countOf(TOTAL) >= total) || (perAddress > 0 && countOf(key) >= perAddress);
  }

  function change(counts: Map<string, number>, key: string, by: 1 | -1): void {
    for (const counted of [key, TOTAL]) set(counts, counted, (counts.get(counted) ?? 0) + by);
  }

  /**
   * Whether there is room for one more; if so, it is counted until it is released. What other copies have said before
   * they heard of it comes first, and nothing that they have said after it, so that of two that take the last place
   * one gets it and one does not.
   */
  async function take(address: string): Promise<boolean> {
    const key = countedKey(address);
    if (isFull(key, (counted) => (claimed.get(counted) ?? 0) + elsewhere(counted))) return false;
    change(claimed, key, 1);
    if (isLimited) {
      const before = await tellSoon(key);
      if (isFull(key, (counted) => (admitted.get(counted) ?? 0) + (before?.get(counted) ?? elsewhere(counted)))) {
        giveBack(key);
        return false;
      }
    }
    change(admitted, key, 1);
    return true;
  }

  function giveBack(key: string): void {
    change(claimed, key, -1);
    if (!isLimited) return;
    noteReleased(key);
    noteReleased(TOTAL);
  }

  function release(address: string): void {
    const key = countedKey(address);
    change(admitted, key, -1);
    giveBack(key);
  }

  return { take, release };
}

function set(counts: Map<string, number>, key: string, count: number): void {
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
