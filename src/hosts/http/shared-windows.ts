import type { Facts, Gossip } from "../../domain/model/events.ts";
import { Failure } from "../../domain/model/failure.ts";
import type { Clock } from "../../domain/model/ports.ts";
import { countedKey } from "./shared-counts.ts";
import { createWindows } from "./windows.ts";

interface Options<Kind extends string> {
  /** Replicas share the counts of a topic. */
  topic: string;
  /** The length of a window in milliseconds. */
  length: number;
  /** The maximum count of each kind in a window. */
  limits: Readonly<Record<Kind, number>>;
  clock: Clock;
  gossip: Gossip;
}

export interface Counter<Kind extends string> {
  kind: Kind;
  key: string;
}

/**
 * Creates counters with limits, in windows of time. Replicas count in the same order, so the limits hold across them. Keys of
 * one kind can't displace keys of another.
 */
export function createSharedWindows<Kind extends string>({ topic, length, limits, clock, gossip }: Options<Kind>) {
  const windows = new Map(Object.keys(limits).map((kind) => [kind, createWindows({ length, clock })]));

  gossip.listen(topic, (facts) => facts.map(([fact, by]) => addFact(fact, by)));

  /** Returns the new count; 0 for kinds that another version of Vitrine counts. */
  function addFact(fact: string, by: number): number {
    const colon = fact.indexOf(":");
    return windows.get(fact.slice(0, colon))?.add(fact.slice(colon + 1), by) ?? 0;
  }

  const factOf = ({ kind, key }: Counter<Kind>): string => `${kind}:${key}`;

  /** Returns the new counts. */
  async function count(counters: readonly Counter<Kind>[], by: 1 | -1): Promise<readonly number[]> {
    const facts: Facts = counters.map((counter) => [factOf(counter), by]);
    return (await gossip.tell(topic, facts)) ?? facts.map(([fact]) => addFact(fact, by));
  }

  /** Returns the counter of a kind for names, such as an address. */
  const counterFor = (kind: Kind, ...names: readonly string[]): Counter<Kind> => ({
    kind,
    key: countedKey([kind, ...names].join(" ")),
  });

  /** Returns the count so far. */
  const countOf = ({ kind, key }: Counter<Kind>): number => windows.get(kind)?.count(key) ?? 0;

  /** Returns the counter if it is below its limit, without counting. Throws `TooManyRequests` otherwise. */
  function requireRoom(counter: Counter<Kind>, what: string): Counter<Kind> {
    if (countOf(counter) >= limits[counter.kind]) throw tooMany(counter, what);
    return counter;
  }

  /** Counts an attempt. Throws `TooManyRequests` if parallel attempts have used up a limit. */
  async function take(counters: readonly Counter<Kind>[], what: string): Promise<readonly number[]> {
    const counts = await count(counters, 1);
    const crossed = counters.find(({ kind }, position) => (counts[position] ?? 0) > limits[kind]);
    if (crossed === undefined) return counts;
    const failure = tooMany(crossed, what);
    await count(counters, -1);
    throw failure;
  }

  function tooMany({ kind, key }: Counter<Kind>, what: string): Failure {
    const retryAfter = windows.get(kind)?.secondsLeft(key) ?? 1;
    return new Failure("TooManyRequests", `Too many attempts to ${what}. Try again in ${retryAfter} seconds.`, {
      retryAfter,
    });
  }

  return { count, countOf, counterFor, requireRoom, take };
}
