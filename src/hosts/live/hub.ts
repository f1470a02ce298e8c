import type { ServerWebSocket } from "bun";
import type { Live, LiveReader, LiveView } from "../../domain/live.ts";
import type { Events } from "../../domain/ports.ts";
import type { Log } from "../failures.ts";
import { currentFact } from "./facts.ts";
import type { LiveMessage } from "./messages.ts";

/** What a socket is about. */
export interface Subscription {
  readonly itemId: number;
  readonly reader: LiveReader;
  /** By which sockets are limited. */
  readonly address: string;
}

export type LiveSocket = ServerWebSocket<Subscription>;

/** Readers of one group who see the same of it: one publish reaches them all. */
interface Room {
  reader: LiveReader;
  topic: string;
  sockets: Set<LiveSocket>;
}

interface WatchedItem {
  id: number;
  rooms: Map<string, Room>;
  /** Sockets that have not been told anything yet. */
  arriving: Set<LiveSocket>;
  /** Whether there may be news that the rooms have not been told. */
  hasChanged: boolean;
  isReading: boolean;
}

interface Parts {
  live: Pick<Live, "load" | "view">;
  events: Pick<Events, "subscribe">;
  /** Sends to all sockets that have subscribed to a topic. */
  publish(topic: string, message: string): void;
  log: Log;
}

/** The close code that tells a reader to come back, to this process or to another one (RFC 6455 §7.4, IANA). */
const SERVICE_RESTART = 1012;
const TOLD_EVERYTHING = 1000;
/** Milliseconds until a read that failed is tried again. */
const RETRY_DELAY = 1_000;

/**
 * Tells the readers of each group what they see of it: on arrival, and after every change. The reads of one group
 * come one after the other, so that nobody is told old news last, and those that arrive meanwhile share the next.
 */
export function createHub({ live, events, publish, log }: Parts) {
  const watched = new Map<number, WatchedItem>();

  const unsubscribe = events.subscribe((event) => {
    const item = event.kind === "itemChanged" ? watched.get(event.itemId) : undefined;
    if (item === undefined) return;
    item.hasChanged = true;
    tellNews(item);
  });

  function open(socket: LiveSocket): void {
    const item = watch(socket.data.itemId);
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

  function watch(id: number): WatchedItem {
    const known = watched.get(id);
    if (known !== undefined) return known;
    const item = { id, rooms: new Map(), arriving: new Set<LiveSocket>(), hasChanged: false, isReading: false };
    watched.set(id, item);
    return item;
  }

  async function tellNews(item: WatchedItem): Promise<void> {
    if (item.isReading || watched.get(item.id) !== item) return;
    item.isReading = true;
    try {
      while (item.hasChanged || item.arriving.size > 0) await tellOnce(item);
    } catch (error) {
      log.error({ message: "A live link could not be read.", requestId: "", error });
      item.hasChanged = true;
      setTimeout(tellNews, RETRY_DELAY, item).unref();
    } finally {
      item.isReading = false;
    }
  }

  async function tellOnce(item: WatchedItem): Promise<void> {
    const { hasChanged } = item;
    const arrived = [...item.arriving];
    item.hasChanged = false;
    const views = await readViews(item, arrived);
    // From here on without a pause, so that nothing can come in between.
    if (hasChanged) for (const [key, room] of item.rooms) tellRoom(room, views.get(key));
    for (const socket of arrived) {
      if (item.arriving.delete(socket)) greet(item, socket, views.get(socket.data.reader.key));
    }
  }

  /** What each kind of reader sees now, by their key. */
  async function readViews(item: WatchedItem, arrived: readonly LiveSocket[]) {
    const readers = new Map<string, LiveReader>();
    for (const { reader } of item.rooms.values()) readers.set(reader.key, reader);
    for (const { data } of arrived) readers.set(data.reader.key, data.reader);
    const found = await live.load(item.id);
    const views = new Map<string, LiveView | undefined>();
    for (const [key, reader] of readers) views.set(key, live.view(await reader.look(), found));
    return views;
  }

  function tellRoom({ topic, sockets }: Room, view: LiveView | undefined): void {
    if (view !== undefined) publish(topic, encode({ type: "version", ...currentFact(view) }));
    else for (const socket of [...sockets]) sayGone(socket);
  }

  function greet(item: WatchedItem, socket: LiveSocket, view: LiveView | undefined): void {
    if (view === undefined) {
      sayGone(socket);
      return;
    }
    const { reader } = socket.data;
    const room = item.rooms.get(reader.key) ?? { reader, topic: `${item.id}/${reader.key}`, sockets: new Set() };
    item.rooms.set(reader.key, room);
    room.sockets.add(socket);
    socket.subscribe(room.topic);
    socket.send(encode({ type: "hello", ...currentFact(view) }));
  }

  function sayGone(socket: LiveSocket): void {
    socket.send(encode({ type: "gone" }));
    socket.close(TOLD_EVERYTHING, "gone");
  }

  /** Sends every reader away, to come back when there is a server again. */
  function stop(): void {
    unsubscribe();
    for (const { rooms, arriving } of [...watched.values()]) {
      const sockets = [...arriving, ...[...rooms.values()].flatMap((room) => [...room.sockets])];
      for (const socket of sockets) socket.close(SERVICE_RESTART, "restart");
    }
  }

  return { open, close, stop };
}

const encode = (message: LiveMessage): string => JSON.stringify(message);
