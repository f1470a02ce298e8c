import type { ChangeEvent } from "../domain/ports.ts";
import { type Message, piecesOf, type SharedEvent } from "./payload.ts";

/** Milliseconds between two signs of life. */
export const BEAT_INTERVAL = 200;
/**
 * Milliseconds for which a copy relies on what it remembers after it sent the last beat that came back to it. What others
 * said before that beat it has heard, because notifications come in the order in which they were committed.
 */
export const RELIANCE = 1_000;
/** Milliseconds of silence after which another copy counts as gone. */
const LIFE_OF_COPY = 1_200;
/** Milliseconds after which no copy that has not answered can still rely on what it remembers. */
const LONGEST_WAIT = 2_000;
/** Events that are kept for when the database can be reached again; beyond it all that is said is that there were some. */
const KEPT_EVENTS = 1_000;

interface Peer {
  /** What this copy had said when the other one was first heard of: of that it need not be told. */
  joinedAt: number;
  /** Up to which of our events it has heard. */
  heard: number;
  lastSign: number;
}

interface Waiter {
  number: number;
  until: number;
  resolve(): void;
}

interface Parts {
  /** Names this copy; never used twice. */
  id: string;
  /** Milliseconds that only ever grow, whatever the clock on the wall does. */
  now(): number;
  /** Notifies all copies, this one too, in this order; what is lost is said again after `reconnected`. */
  send(messages: readonly Message[]): void;
  /** Tells the listeners of this process what another copy has changed. */
  deliver(event: ChangeEvent): void;
}

/**
 * What copies of the program agree on by notifications that all of them hear in one order: who is there, and who has heard
 * what. A change is settled when all that are there have heard it.
 */
export function createCopies({ id, now, send, deliver }: Parts) {
  const peers = new Map<string, Peer>();
  /** What this copy has said and not heard itself yet. */
  const unheard = new Map<number, SharedEvent>();
  let waiters: Waiter[] = [];
  let said = 0;
  let heardOwn = 0;
  let beats = 0;
  /** When the beats were sent that have not come back yet. */
  const beatsUnderway = new Map<number, number>();
  let reliableUntil = Number.NEGATIVE_INFINITY;

  function publish(change: ChangeEvent): void {
    const pieces = piecesOf(change);
    if (unheard.size + pieces.length > KEPT_EVENTS) {
      unheard.clear();
      pieces.splice(0, pieces.length, { kind: "missed" });
    }
    for (const piece of pieces) unheard.set(++said, piece);
    send(eventsFrom(said - pieces.length));
  }

  const eventsFrom = (after: number): Message[] =>
    [...unheard].flatMap(([number, event]) => (number > after ? [{ type: "event", from: id, number, event }] : []));

  function hear(message: Message): void {
    if (message.from === id) hearOwn(message);
    else hearOther(message);
    settle();
  }

  function hearOwn(message: Message): void {
    if (message.type === "beat") {
      const sentAt = beatsUnderway.get(message.number);
      if (sentAt === undefined) return;
      for (const number of beatsUnderway.keys()) if (number <= message.number) beatsUnderway.delete(number);
      reliableUntil = sentAt + RELIANCE;
    } else if (message.type === "event") {
      unheard.delete(message.number);
      heardOwn = Math.max(heardOwn, message.number);
    }
  }

  function hearOther(message: Message): void {
    const { from } = message;
    if (message.type === "leave") {
      peers.delete(from);
      return;
    }
    const peer = peers.get(from) ?? { joinedAt: heardOwn, heard: 0, lastSign: 0 };
    peer.lastSign = now();
    peers.set(from, peer);
    if (message.type === "heard" && message.to === id) peer.heard = Math.max(peer.heard, message.number);
    if (message.type === "event") {
      deliver(message.event);
      send([{ type: "heard", from: id, to: from, number: message.number }]);
    }
  }

  /** To be called every `BEAT_INTERVAL`. */
  function beat(): void {
    beatsUnderway.set(++beats, now());
    send([{ type: "beat", from: id, number: beats }]);
    const isGone = ([, { lastSign }]: [string, Peer]) => now() - lastSign > LIFE_OF_COPY;
    const gone = isHearing() ? [...peers].filter(isGone) : [];
    for (const [name] of gone) peers.delete(name);
    // Whoever was killed may have made a change and not come to say so.
    if (gone.length > 0) deliver({ kind: "missed" });
    settle();
  }

  const isHearing = () => now() < reliableUntil;

  /** The connection is new: what was said on the old one may be lost, and so may what others said meanwhile. */
  function reconnected(): void {
    beatsUnderway.clear();
    reliableUntil = Number.NEGATIVE_INFINITY;
    for (const peer of peers.values()) peer.lastSign = now();
    deliver({ kind: "missed" });
    send(eventsFrom(0));
    beat();
  }

  /** The connection is gone: from now on nothing is certain. */
  function disconnected(): void {
    beatsUnderway.clear();
    reliableUntil = Number.NEGATIVE_INFINITY;
  }

  function settled(): Promise<void> | undefined {
    const number = said;
    if (isSettled(number)) return undefined;
    return new Promise((resolve) => waiters.push({ number, until: now() + LONGEST_WAIT, resolve }));
  }

  const isSettled = (number: number) =>
    heardOwn >= number && peers.values().every(({ joinedAt, heard }) => joinedAt >= number || heard >= number);

  function settle(): void {
    const [done, left] = [[] as Waiter[], [] as Waiter[]];
    for (const waiter of waiters) (waiter.until <= now() || isSettled(waiter.number) ? done : left).push(waiter);
    waiters = left;
    for (const { resolve } of done) resolve();
  }

  const leave = () => send([{ type: "leave", from: id }]);

  return { publish, hear, beat, isHearing, reconnected, disconnected, settled, leave };
}

export type Copies = ReturnType<typeof createCopies>;
