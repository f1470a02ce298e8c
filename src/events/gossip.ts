import type { FactsListener, Gossip } from "../domain/model/events.ts";
import type { GossipMessage } from "./payload.ts";

/** Facts in one notification; their keys are short enough for that. */
const FACTS_AT_ONCE = 200;
/** Milliseconds after which a message that has not come back counts as lost. */
const PATIENCE = 1_000;
/** Messages in flight at once, so that they do not pile up while the database hangs. */
const MOST_UNDERWAY = 2_000;

/** A message that this replica has sent and not heard itself yet. */
interface Underway {
  sentAt: number;
  resolve(outcome: readonly number[] | undefined): void;
}

interface GossipDependencies {
  /** Names this replica. */
  id: string;
  now(): number;
  isHearing(): boolean;
  send(messages: readonly GossipMessage[]): void;
}

/** Lets replicas share facts without a guarantee: nothing is sent twice, and what is lost stays lost. */
export function createGossip({ id, now, isHearing, send }: GossipDependencies) {
  const listeners = new Map<string, FactsListener>();
  const joinings = new Set<() => void>();
  const partings = new Set<(replica: string) => void>();
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
    // The sender has stopped waiting for it.
    if (told === undefined) return;
    underway.delete(number);
    told.resolve(listeners.get(topic)?.(facts, from));
  }

  /** Gives up messages that are lost. Call it regularly. */
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
    gone(replica: string) {
      for (const listener of partings) listener(replica);
    },
  };
}
