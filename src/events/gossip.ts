import type { FactsListener, Gossip } from "../domain/model/events.ts";
import type { GossipMessage } from "./payload.ts";

/** Keys are short: as many fit into one notification. */
const FACTS_AT_ONCE = 200;
/** Milliseconds after which what has not come back is taken for lost. */
const PATIENCE = 1_000;
/** Messages of this copy that may be on their way: a database that stands still must not make them pile up. */
const MOST_UNDERWAY = 2_000;

/** Something told that this copy has not heard itself yet. */
interface Underway {
  sentAt: number;
  resolve(outcome: readonly number[] | undefined): void;
}

interface Parts {
  /** Names this copy. */
  id: string;
  now(): number;
  isHearing(): boolean;
  send(messages: readonly GossipMessage[]): void;
}

/** What copies tell each other by the way: nothing is said twice, and what is lost is lost. */
export function createGossip({ id, now, isHearing, send }: Parts) {
  const listeners = new Map<string, FactsListener>();
  const joinings = new Set<() => void>();
  const partings = new Set<(copy: string) => void>();
  const underway = new Map<number, Underway>();
  let last = 0;

  const gossip: Gossip = {
    ownId: id,
    async tell(topic, facts) {
      if (!isHearing() || facts.length === 0 || underway.size >= MOST_UNDERWAY) return undefined;
      const messages: GossipMessage[] = [];
      const outcomes: Promise<readonly number[] | undefined>[] = [];
      for (let start = 0; start < facts.length; start += FACTS_AT_ONCE) {
        const some = facts.slice(start, start + FACTS_AT_ONCE);
        messages.push({ type: "facts", from: id, number: ++last, topic, facts: some });
        outcomes.push(new Promise((resolve) => underway.set(last, { sentAt: now(), resolve })));
      }
      send(messages);
      const returned = (await Promise.all(outcomes)).flatMap((outcome) => (outcome === undefined ? [] : [outcome]));
      return returned.length === outcomes.length ? returned.flat() : undefined;
    },
    listen(topic, listener) {
      listeners.set(topic, listener);
    },
    whenJoined: (listener) => void joinings.add(listener),
    whenGone: (listener) => void partings.add(listener),
  };

  function hear({ from, number, topic, facts }: GossipMessage): void {
    if (from !== id) {
      listeners.get(topic)?.(facts, from);
      return;
    }
    const told = underway.get(number);
    // What had been given up has been dealt with in another way.
    if (told === undefined) return;
    underway.delete(number);
    told.resolve(listeners.get(topic)?.(facts, from));
  }

  /** To be called now and then. */
  function tick(): void {
    for (const [number, { sentAt, resolve }] of underway) {
      if (isHearing() && now() - sentAt < PATIENCE) continue;
      underway.delete(number);
      resolve(undefined);
    }
  }

  return {
    gossip,
    hear,
    tick,
    joined() {
      for (const listener of joinings) listener();
    },
    gone(copy: string) {
      for (const listener of partings) listener(copy);
    },
  };
}
