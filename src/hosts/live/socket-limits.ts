import type { Gossip } from "../../domain/model/events.ts";
import { countedKey, createBatch, urgencyOf } from "../http/shared-counts.ts";

export interface SocketLimits {
  /** The maximum number of sockets; 0 means unlimited. */
  total: number;
  /** The maximum number of sockets from one address; 0 means unlimited. */
  perAddress: number;
}

/** The key for all addresses together. */
const TOTAL = "";

interface SocketCountDependencies {
  limits: SocketLimits;
  /** Replicas share the counts of a topic. */
  topic: string;
  gossip: Gossip;
}

/** Creates the count of sockets, including those of other replicas, so that no client can use all of them. */
export function createSocketCount({ limits: { total, perAddress }, topic, gossip }: SocketCountDependencies) {
  /** Sockets of this replica: `claimed` includes those that still wait for an answer from other replicas. */
  const admitted = new Map<string, number>();
  const claimed = new Map<string, number>();
  /** Counts of other replicas, as far as known. */
  const others = new Map<string, Map<string, number>>();
  const isLimited = total > 0 || perAddress > 0;
  /** The message to send at the end of this turn of the event loop. */
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
  gossip.whenGone((replica) => void others.delete(replica));

  function elsewhere(key: string): number {
    let sum = 0;
    for (const theirs of others.values()) sum += theirs.get(key) ?? 0;
    return sum;
  }

  /**
   * Sends absolute counts, not changes, so that a lost message does no lasting harm. Resolves to the counts that the other
   * replicas had sent before they received it, or undefined if unknown.
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

  /** Returns whether the counts reach one of the limits. */
  function isFull(key: string, countOf: (key: string) => number): boolean {
    return (total > 0 && countOf(TOTAL) >= total) || (perAddress > 0 && countOf(key) >= perAddress);
  }

  function change(counts: Map<string, number>, key: string, by: 1 | -1): void {
    for (const counted of [key, TOTAL]) set(counts, counted, (counts.get(counted) ?? 0) + by);
  }

  /**
   * Returns whether there is room for one more socket, and counts it until its release. Claims that other replicas sent
   * before they received this one take precedence, so that only one of two sockets gets the last place.
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
