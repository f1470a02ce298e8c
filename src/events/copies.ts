import type { ChangeEvent } from "../domain/model/events.ts";
import { unavailable } from "../domain/model/failure.ts";
import { type CopyMessage, piecesOf, type SharedEvent } from "./payload.ts";

/** Milliseconds between two signs of life. */
export const BEAT_INTERVAL = 200;
/**
 * Milliseconds for which a copy relies on what it remembers after it sent the last beat that came back to it. What others
 * said before that beat it has heard, because notifications come in the order in which they were committed.
 */
export const RELIANCE = 1_000;
/** Milliseconds after a change is common knowledge after which nobody relies on older beats, however clocks run. */
export const DEAF_AFTER = 1_100;
/** Milliseconds of silence after which another copy counts as gone. */
export const LIFE_OF_COPY = 1_200;
/** Milliseconds that a change waits until the database has taken the word of it. */
export const LONGEST_WAIT = 5_000;
/** Milliseconds without a beat of one's own after which a connection is taken for one that brings nothing. */
const LIFE_OF_LINE = 3_000;
/** Events that are kept for when the database can be reached again; beyond it all that is said is that there were some. */
export const KEPT_EVENTS = 1_000;

interface Peer {
  /** What this copy had said when the other one was first heard of: of that it need not be told. */
  joinedAt: number;
  /** Up to which of our events it has heard. */
  heard: number;
  lastSign: number;
  /** Counts its connections. */
  line: number;
}

interface Waiter {
  number: number;
  until: number;
  resolve(): void;
  reject(reason: unknown): void;
}

interface Parts {
  /** Names this copy; never used twice. */
  id: string;
  /** Milliseconds that only ever grow, whatever the clock on the wall does. */
  now(): number;
  /** Notifies all copies, this one too, in this order; what is lost is said again after `connected`. */
  send(messages: readonly CopyMessage[]): void;
  /** Tells the listeners of this process what another copy has changed. */
  deliver(event: ChangeEvent): void;
  /** There is somebody who has not heard what was told before. */
  joined(): void;
  gone(copy: string): void;
}

/**
 * What copies of the program agree on by notifications that all of them hear in one order: who is there, and who has heard
 * what. A change is settled when no copy can go on as if it had not been made.
 */
export function createCopies({ id, now, send, deliver, joined, gone }: Parts) {
  const peers = new Map<string, Peer>();
  /** What this copy has said and not heard itself yet. */
  const unheard = new Map<number, SharedEvent>();
  /** When this copy heard what it had said, as far as not all others have. */
  const unsettled = new Map<number, number>();
  let waiters: Waiter[] = [];
  let said = 0;
  /** The last of it that others may not go on without. */
  let saidToSettle = 0;
  let heardOwn = 0;
  let settledUpTo = 0;
  let beats = 0;
  let line = 0;
  /** When the beats were sent that have not come back yet. */
  const beatsUnderway = new Map<number, number>();
  let reliableUntil = Number.NEGATIVE_INFINITY;
  let connectedAt: number | undefined;
  let lastTick = now();
  let lastEcho = Number.NEGATIVE_INFINITY;
  /** Whether all who were there when the connection was made must have been heard of. */
  let isAcquainted = false;

  function publish(change: ChangeEvent): void {
    const pieces = piecesOf(change);
    if (change.kind === "missed" || unheard.size + pieces.length > KEPT_EVENTS) {
      // It stands for all that was to be said.
      unheard.clear();
      pieces.splice(0, pieces.length, { kind: "missed" });
    }
    const before = said;
    for (const piece of pieces) unheard.set(++said, piece);
    if (pieces.some(isToSettle)) saidToSettle = said;
    if (connectedAt !== undefined) send(eventsFrom(before));
  }

  const eventsFrom = (after: number): CopyMessage[] =>
    [...unheard].flatMap(([number, event]) => (number > after ? [{ type: "event", from: id, number, event }] : []));

  function hear(message: CopyMessage): void {
    if (message.from === id) hearOwn(message);
    else hearOther(message);
    settle();
  }

  function hearOwn(message: CopyMessage): void {
    if (message.type === "beat") hearOwnBeat(message.number);
    if (message.type !== "event") return;
    unheard.delete(message.number);
    if (message.number <= heardOwn) return;
    heardOwn = message.number;
    unsettled.set(heardOwn, now());
  }

  function hearOwnBeat(beat: number): void {
    const sentAt = beatsUnderway.get(beat);
    if (sentAt === undefined) return;
    for (const number of beatsUnderway.keys()) if (number <= beat) beatsUnderway.delete(number);
    reliableUntil = sentAt + RELIANCE;
    lastEcho = now();
  }

  function hearOther(message: CopyMessage): void {
    const { from } = message;
    if (message.type === "leave") {
      if (peers.delete(from)) gone(from);
      return;
    }
    const peer = peers.get(from) ?? { joinedAt: heardOwn, heard: 0, lastSign: 0, line: 0 };
    peer.lastSign = now();
    peers.set(from, peer);
    if (message.type === "beat" && message.line !== peer.line) {
      peer.line = message.line;
      joined();
    }
    if (message.type === "heard" && message.to === id) peer.heard = Math.max(peer.heard, message.number);
    if (message.type === "event") hearEvent(message);
  }

  function hearEvent({ from, number, event }: Extract<CopyMessage, { type: "event" }>): void {
    deliver(event);
    if (isToSettle(event)) send([{ type: "heard", from: id, to: from, number }]);
  }

  /** To be called every `BEAT_INTERVAL`. */
  function tick(): void {
    // Whoever stood still takes the silent for living, from what they said before.
    if (now() - lastTick > RELIANCE) deliver({ kind: "missed" });
    lastTick = now();
    if (connectedAt !== undefined) {
      beat();
      if (isHearing()) {
        forgetSilent();
        lookAgain(connectedAt);
      }
    }
    settle();
  }

  function beat(): void {
    for (const [number, sentAt] of beatsUnderway) if (now() - sentAt > RELIANCE) beatsUnderway.delete(number);
    beatsUnderway.set(++beats, now());
    send([{ type: "beat", from: id, number: beats, line }]);
  }

  function forgetSilent(): void {
    const silent = [...peers].filter(([, { lastSign }]) => now() - lastSign > LIFE_OF_COPY);
    for (const [name] of silent) {
      peers.delete(name);
      gone(name);
    }
    // Whoever was killed may have made a change and not come to say so.
    if (silent.length > 0) deliver({ kind: "missed" });
  }

  /** Whoever was killed before anything was heard of it may have made a change as well. */
  function lookAgain(since: number): void {
    if (isAcquainted || now() - since <= LIFE_OF_COPY) return;
    isAcquainted = true;
    deliver({ kind: "missed" });
  }

  const isHearing = () => now() < reliableUntil;

  /** The connection is new: what was said on the old one may be lost, and so may what others said meanwhile. */
  function connected(): void {
    disconnected();
    line++;
    connectedAt = now();
    isAcquainted = false;
    for (const peer of peers.values()) peer.lastSign = now();
    deliver({ kind: "missed" });
    send(eventsFrom(0));
    joined();
    beat();
  }

  /** The connection is gone: from now on nothing is certain. */
  function disconnected(): void {
    connectedAt = undefined;
    beatsUnderway.clear();
    reliableUntil = Number.NEGATIVE_INFINITY;
  }

  /** Whether there is a connection that has brought nothing for a long time. */
  const isDeaf = () => connectedAt !== undefined && now() - Math.max(connectedAt, lastEcho) > LIFE_OF_LINE;

  /** Rejects with `Unavailable` when the database does not take the word of a change for `LONGEST_WAIT`. */
  function settled(): Promise<void> | undefined {
    // Whoever cannot tell others now might be gone before it can, and nobody would look whether there is news.
    const number = isHearing() ? saidToSettle : said;
    settle();
    if (settledUpTo >= number) return undefined;
    return new Promise((resolve, reject) => {
      waiters.push({ number, until: now() + LONGEST_WAIT, resolve, reject });
    });
  }

  function settle(): void {
    for (const [number, heardAt] of unsettled) {
      if (now() - heardAt < DEAF_AFTER && !isKnownToAll(number)) break;
      settledUpTo = number;
      unsettled.delete(number);
    }
    if (waiters.length > 0) release();
  }

  function isKnownToAll(number: number): boolean {
    // Before that there may be copies that this one has not heard of yet.
    if (connectedAt === undefined || now() - connectedAt < RELIANCE) return false;
    return peers.values().every(({ joinedAt, heard }) => joinedAt >= number || heard >= number);
  }

  function release(): void {
    const all = waiters;
    const isLate = ({ number, until }: Waiter) => number > heardOwn && until <= now();
    waiters = all.filter((waiter) => waiter.number > settledUpTo && !isLate(waiter));
    for (const waiter of all) {
      if (waiter.number <= settledUpTo) waiter.resolve();
      else if (isLate(waiter)) waiter.reject(unavailable(UNTOLD));
    }
  }

  const leave = () => send([{ type: "leave", from: id }]);

  return { publish, hear, tick, isHearing, isDeaf, connected, disconnected, settled, leave };
}

/** Whether anybody waits until all have heard of it. */
const isToSettle = (event: SharedEvent): boolean => event.kind !== "itemChanged" || event.isAddition !== true;

const UNTOLD = "The change was made, but other copies of the server may not know of it yet.";
