import type { ServerWebSocket } from "bun";
import type { Live, LiveReader, LiveView } from "../../domain/live/live.ts";
import type { ChangeEvent, Events } from "../../domain/model/events.ts";
import type { Clock } from "../../domain/model/ports.ts";
import type { Log } from "../../observability/log.ts";
import { currentFact } from "./facts.ts";
import { createFanOut } from "./fan-out.ts";
import type { LiveMessage } from "./messages.ts";

/** What a socket is about. */
export interface Subscription {
  readonly itemId: number;
  readonly workspaceId: string;
  readonly reader: LiveReader;
  /** By which sockets are limited. */
  readonly address: string;
}

export type LiveSocket = ServerWebSocket<Subscription>;

/** Readers of one group who see the same of it. */
interface Room {
  reader: LiveReader;
  sockets: Set<LiveSocket>;
}

interface WatchedItem {
  id: number;
  workspaceId: string;
  rooms: Map<string, Room>;
  /** Sockets that have not been told anything yet. */
  arriving: Set<LiveSocket>;
  /** Whether there may be news that the rooms have not been told. */
  hasChanged: boolean;
  /** Rooms whose readers may have lost the right to be here. */
  doubted: Set<Room>;
  isReading: boolean;
}

/** Those of one kind of reader to whom there may be something to say. */
interface Audience {
  reader: LiveReader;
  room: Room | undefined;
  arrived: LiveSocket[];
}

interface Parts {
  live: Pick<Live, "load" | "view">;
  events: Pick<Events, "subscribe">;
  clock: Clock;
  log: Log;
}

/** The close code that tells a reader to come back, to this process or to another one (RFC 6455 §7.4, IANA). */
const SERVICE_RESTART = 1012;
const TOLD_EVERYTHING = 1000;
/** Milliseconds until a read that failed is tried again. */
const RETRY_DELAY = 1_000;
/** Milliseconds between looks at which sessions have run out. */
const EXPIRY_INTERVAL = 500;
/** Kinds of readers that are told in one turn of the event loop. */
const TURN = 50;

/**
 * Tells the readers of each group what they see of it: on arrival, and after every change. The reads of one group
 * come one after the other, so that nobody is told old news last, and those that arrive meanwhile share the next.
 */
export function createHub({ live, events, clock, log }: Parts) {
  const watched = new Map<number, WatchedItem>();
  const fanOut = createFanOut<LiveSocket>(setImmediate);
  /** How often anybody's rights have come into doubt so far. */
  let doubts = 0;

  const unsubscribe = events.subscribe(notice);
  const expiring = setInterval(() => {
    const now = clock.now();
    doubt((_, { session }) => session !== undefined && session.expiresAt <= now);
  }, EXPIRY_INTERVAL);
  expiring.unref();

  function notice(event: ChangeEvent): void {
    switch (event.kind) {
      case "itemChanged":
        noteChange(watched.get(event.itemId));
        return;
      case "sessionsEnded":
        doubts++;
        doubt((_, { session }) => session?.userId === event.userId);
        return;
      case "membershipChanged":
        doubts++;
        // What this person shares with colleagues depends on it as well.
        doubt((item, { session }) => session?.userId === event.userId || item.workspaceId === event.ownWorkspaceId);
        return;
      case "missed":
        doubts++;
        for (const item of watched.values()) noteChange(item);
        return;
      case "interrupted":
        sendAway();
    }
  }

  function noteChange(item: WatchedItem | undefined): void {
    if (item === undefined) return;
    item.hasChanged = true;
    tellNews(item);
  }

  function doubt(isDoubtful: (item: WatchedItem, reader: LiveReader) => boolean): void {
    for (const item of watched.values()) {
      for (const room of item.rooms.values()) if (isDoubtful(item, room.reader)) item.doubted.add(room);
      if (item.doubted.size > 0) tellNews(item);
    }
  }

  function open(socket: LiveSocket): void {
    const item = watch(socket.data);
    item.arriving.add(socket);
    tellNews(item);
  }

  function close(socket: LiveSocket): void {
    const item = watched.get(socket.data.itemId);
    const room = item?.rooms.get(socket.data.reader.key);
    item?.arriving.delete(socket);
    room?.sockets.delete(socket);
    if (room?.sockets.size === 0) item?.rooms.delete(socket.data.reader.key);
    if (item?.rooms.size === 0 && item.arriving.size === 0) watched.delete(item.id);
  }

  function watch({ itemId: id, workspaceId }: Subscription): WatchedItem {
    const known = watched.get(id);
    if (known !== undefined) return known;
    const nobody = { rooms: new Map(), arriving: new Set<LiveSocket>(), doubted: new Set<Room>() };
    const item = { id, workspaceId, ...nobody, hasChanged: false, isReading: false };
    watched.set(id, item);
    return item;
  }

  const hasNews = ({ hasChanged, arriving, doubted }: WatchedItem) =>
    hasChanged || arriving.size > 0 || doubted.size > 0;

  async function tellNews(item: WatchedItem): Promise<void> {
    if (item.isReading || watched.get(item.id) !== item) return;
    item.isReading = true;
    try {
      while (hasNews(item)) await tellOnce(item);
    } catch (error) {
      log.error({ message: "A live link could not be read.", error });
      item.hasChanged = true;
      setTimeout(tellNews, RETRY_DELAY, item).unref();
    } finally {
      item.isReading = false;
    }
  }

  async function tellOnce(item: WatchedItem): Promise<void> {
    const { hasChanged } = item;
    const audiences = gather(item);
    item.hasChanged = false;
    item.doubted = new Set();
    const doubtsBefore = doubts;
    const found = await live.load(item.id);
    let told = 0;
    for (const audience of audiences) {
      const view = await live.view(audience.reader, found);
      tellAudience(item, audience, view, hasChanged);
      if (doubts !== doubtsBefore) doubtAudience(item, audience);
      if (++told % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Without a pause, so that nothing can come in between. */
  function tellAudience(item: WatchedItem, { room, arrived }: Audience, view: LiveView | undefined, isNews: boolean) {
    if (room !== undefined) tellRoom(room, view, isNews);
    for (const socket of arrived) if (item.arriving.delete(socket)) greet(item, socket, view);
  }

  /** What was just read of these readers may have been so before they lost a right. */
  function doubtAudience({ rooms, doubted }: WatchedItem, { reader }: Audience): void {
    const room = rooms.get(reader.key);
    if (room !== undefined && reader.session !== undefined) doubted.add(room);
  }

  function gather({ rooms, arriving, hasChanged, doubted }: WatchedItem): Iterable<Audience> {
    const audiences = new Map<string, Audience>();
    for (const room of hasChanged ? rooms.values() : doubted) {
      audiences.set(room.reader.key, { reader: room.reader, room, arrived: [] });
    }
    for (const socket of arriving) {
      const { reader } = socket.data;
      const known = audiences.get(reader.key);
      if (known !== undefined) known.arrived.push(socket);
      else audiences.set(reader.key, { reader, room: undefined, arrived: [socket] });
    }
    return audiences.values();
  }

  function tellRoom({ sockets }: Room, view: LiveView | undefined, isNews: boolean): void {
    if (view === undefined) fanOut.tell(sockets, sayGone);
    else if (isNews) {
      const message = encode({ type: "version", ...currentFact(view) });
      fanOut.tell(sockets, (socket) => void socket.send(message));
    }
  }

  function greet(item: WatchedItem, socket: LiveSocket, view: LiveView | undefined): void {
    if (view === undefined) {
      sayGone(socket);
      return;
    }
    const { reader } = socket.data;
    const room = item.rooms.get(reader.key) ?? { reader, sockets: new Set() };
    item.rooms.set(reader.key, room);
    room.sockets.add(socket);
    socket.send(encode({ type: "hello", ...currentFact(view) }));
  }

  function sayGone(socket: LiveSocket): void {
    socket.send(encode({ type: "gone" }));
    socket.close(TOLD_EVERYTHING, "gone");
  }

  /** Sends every reader away, to come back when there is a server again. */
  function stop(): void {
    unsubscribe();
    clearInterval(expiring);
    sendAway();
  }

  function sendAway(): void {
    for (const { rooms, arriving } of [...watched.values()]) {
      const sockets = [...arriving, ...[...rooms.values()].flatMap((room) => [...room.sockets])];
      for (const socket of sockets) socket.close(SERVICE_RESTART, "restart");
    }
  }

  return { open, close, stop };
}

const encode = (message: LiveMessage): string => JSON.stringify(message);
