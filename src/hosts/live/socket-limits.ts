import type { Gossip } from "../../domain/ports.ts";
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

  const noteAddress = createBatch(urgencyOf(perAddress), (changes) => tell(changes.map(([key]) => key)));
  const noteTotal = createBatch(urgencyOf(total), () => tell([TOTAL]));
  gossip.listen(topic, (facts, from) => {
    if (from === gossip.ownId) return [];
    const theirs = others.get(from) ?? new Map<string, number>();
    others.set(from, theirs);
    for (const [key, count] of facts) set(theirs, key, count);
    return [];
  });
  gossip.whenJoined(() => tell([...counts.keys()]));
  gossip.whenGone((copy) => others.delete(copy));

  /** Not what has changed but what it is now, so that a word that is lost does no lasting harm. */
  function tell(keys: readonly string[]): void {
    gossip.tell(
      topic,
      keys.map((key) => [key, counts.get(key) ?? 0]),
    );
  }

  function everywhere(key: string): number {
    let sum = counts.get(key) ?? 0;
    for (const theirs of others.values()) sum += theirs.get(key) ?? 0;
    return sum;
  }

  const isFull = (limit: number, key: string) => limit > 0 && everywhere(key) >= limit;

  function change(address: string, by: 1 | -1): void {
    for (const key of [address, TOTAL]) set(counts, key, (counts.get(key) ?? 0) + by);
    if (perAddress > 0) noteAddress(address);
    if (total > 0) noteTotal(TOTAL);
  }

  /** Whether there is room for one more; if so, it is counted until it is released. */
  function take(address: string): boolean {
    const key = countedKey(address);
    if (isFull(total, TOTAL) || isFull(perAddress, key)) return false;
    change(key, 1);
    return true;
  }

  const release = (address: string): void => change(countedKey(address), -1);

  return { take, release };
}

function set(counts: Map<string, number>, key: string, count: number): void {
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
