import type { ChangeEvent } from "../domain/model/events.ts";
import { unavailable } from "../domain/model/failure.ts";
import { piecesOf, type ReplicaMessage, type SharedEvent } from "./payload.ts";

/** Milliseconds between two heartbeats. */
export const BEAT_INTERVAL = 200;
/**
 * Milliseconds for which a replica relies on what it remembers, counted from when it sent the last heartbeat that came
 * back to it. It has heard everything sent before that heartbeat, because notifications arrive in commit order.
 */
export const RELIANCE = 1_000;
/** Milliseconds after which no replica relies on heartbeats from before a change, even if clocks run differently. */
export const DEAF_AFTER = 1_100;
/** Milliseconds of silence after which another replica counts as gone. */
export const REPLICA_LIFETIME = 1_200;
/** Milliseconds that a change waits for the database to accept its notification. */
export const LONGEST_WAIT = 5_000;
/** Milliseconds after which a replica that does not hear its own heartbeats replaces its connection. */
const CONNECTION_LIFETIME = 3_000;
/** Events kept until the database can be reached again. If there are more, one "missed" event replaces them all. */
export const KEPT_EVENTS = 1_000;

interface Peer {
  /** The last event this replica had sent when it first heard of the peer, which needs none of the earlier ones. */
  joinedAt: number;
  /** The last of our events that it has heard. */
  heard: number;
  lastSign: number;
  /** The number of its current connection. */
  connection: number;
}

interface Waiter {
  number: number;
  until: number;
  resolve(): void;
  reject(reason: unknown): void;
}

interface ReplicasDependencies {
  /** Names this replica; never used twice. */
  id: string;
  /** Returns milliseconds of a monotonic clock. */
  now(): number;
  /** Notifies all replicas, this one included, in this order. What is lost is sent again after `connected`. */
  send(messages: readonly ReplicaMessage[]): void;
  /** Tells the listeners in this process what another replica has changed. */
  deliver(event: ChangeEvent): void;
  /** Called when a replica connects that has not heard what was sent before. */
  joined(): void;
  gone(replica: string): void;
}

/**
 * Tracks which replicas are alive and which changes each has heard, by notifications that all replicas hear in one order.
 * A change is settled when no replica still relies on the state before it.
 */
export function createReplicas({ id, now, send, deliver, joined, gone }: ReplicasDependencies) {
  const peers = new Map<string, Peer>();
  /** Events that this replica has sent and not heard itself yet. */
  const unheard = new Map<number, SharedEvent>();
  /** When this replica heard its own events, for those that not all peers have confirmed. */
  const unsettled = new Map<number, number>();
  let waiters: Waiter[] = [];
  let sent = 0;
  /** The last event that callers wait for. */
  let sentToSettle = 0;
  let heardOwn = 0;
  let settledUpTo = 0;
  let beats = 0;
  let connection = 0;
  /** When each heartbeat that has not come back yet was sent. */
  const beatsUnderway = new Map<number, number>();
  let reliableUntil = Number.NEGATIVE_INFINITY;
  let connectedAt: number | undefined;
  let lastTick = now();
  let lastEcho = Number.NEGATIVE_INFINITY;
  /** Whether every replica that was alive when the connection was made must have been heard from. */
  let isAcquainted = false;

  function publish(change: ChangeEvent): void {
    const pieces = piecesOf(change);
    if (change.kind === "missed" || unheard.size + pieces.length > KEPT_EVENTS) {
      // One event that tells peers to look at everything replaces all others.
      unheard.clear();
      pieces.splice(0, pieces.length, { kind: "missed" });
    }
    const before = sent;
    for (const piece of pieces) unheard.set(++sent, piece);
    if (pieces.some(isToSettle)) sentToSettle = sent;
    if (connectedAt !== undefined) send(eventsFrom(before));
  }

  const eventsFrom = (after: number): ReplicaMessage[] =>
    [...unheard].flatMap(([number, event]) => (number > after ? [{ type: "event", from: id, number, event }] : []));

  function hear(message: ReplicaMessage): void {
    if (message.from === id) hearOwn(message);
    else hearOther(message);
    settle();
  }

  function hearOwn(message: ReplicaMessage): void {
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

  function hearOther(message: ReplicaMessage): void {
    const { from } = message;
    if (message.type === "leave") {
      if (peers.delete(from)) gone(from);
      return;
    }
    const peer = peers.get(from) ?? { joinedAt: heardOwn, heard: 0, lastSign: 0, connection: 0 };
    peer.lastSign = now();
    peers.set(from, peer);
    if (message.type === "beat" && message.line !== peer.connection) {
      peer.connection = message.line;
      joined();
    }
    if (message.type === "heard" && message.to === id) peer.heard = Math.max(peer.heard, message.number);
    if (message.type === "event") hearEvent(message);
  }

  function hearEvent({ from, number, event }: Extract<ReplicaMessage, { type: "event" }>): void {
    deliver(event);
    if (isToSettle(event)) send([{ type: "heard", from: id, to: from, number }]);
  }

  /** Sends a heartbeat and notices silent peers. Call it every `BEAT_INTERVAL`. */
  function tick(): void {
    // After a pause, peers that we believe alive may be dead.
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
    send([{ type: "beat", from: id, number: beats, line: connection }]);
  }

  function forgetSilent(): void {
    const silent = [...peers].filter(([, { lastSign }]) => now() - lastSign > REPLICA_LIFETIME);
    for (const [name] of silent) {
      peers.delete(name);
      gone(name);
    }
    // A replica that was killed may have made a change without announcing it.
    if (silent.length > 0) deliver({ kind: "missed" });
  }

  /** Covers changes by replicas that were killed before this one heard from them. */
  function lookAgain(since: number): void {
    if (isAcquainted || now() - since <= REPLICA_LIFETIME) return;
    isAcquainted = true;
    deliver({ kind: "missed" });
  }

  const isHearing = () => now() < reliableUntil;

  /** Starts over on a new connection: messages to and from the old one may be lost. */
  function connected(): void {
    disconnected();
    connection++;
    connectedAt = now();
    isAcquainted = false;
    for (const peer of peers.values()) peer.lastSign = now();
    deliver({ kind: "missed" });
    send(eventsFrom(0));
    joined();
    beat();
  }

  /** Stops relying on anything remembered, because the connection is gone. */
  function disconnected(): void {
    connectedAt = undefined;
    beatsUnderway.clear();
    reliableUntil = Number.NEGATIVE_INFINITY;
  }

  /** Returns whether a connection has delivered nothing for a long time. */
  const isDeaf = () => connectedAt !== undefined && now() - Math.max(connectedAt, lastEcho) > CONNECTION_LIFETIME;

  /** Resolves when sent changes are settled. Rejects with `Unavailable` if the database accepts no notification for `LONGEST_WAIT`. */
  function settled(): Promise<void> | undefined {
    // While cut off, wait for everything: if this replica died before sending it, no peer would look for the change.
    const number = isHearing() ? sentToSettle : sent;
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
    // Until then there may be replicas that this one has not heard from yet.
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

/** Returns whether callers wait until all replicas have heard of an event. */
const isToSettle = (event: SharedEvent): boolean => event.kind !== "itemChanged" || event.isAddition !== true;

const UNTOLD = "The change was made, but other replicas may not know about it yet.";
