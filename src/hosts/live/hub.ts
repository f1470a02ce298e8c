import type { ServerWebSocket } from "bun";
import type { Live, LiveReader, LiveView } from "../../domain/live/live.ts";
import type { Instant } from "../../domain/model/entities.ts";
import type { ChangeEvent, Events } from "../../domain/model/events.ts";
import type { Clock } from "../../domain/model/ports.ts";
import type { Log } from "../../observability/log.ts";
import { nextTurn } from "../http/next-turn.ts";
import { currentFact } from "./facts.ts";
import { createFanOut, type NoteFanOut } from "./fan-out.ts";
import type { LiveMessage } from "./messages.ts";

/** The data of a socket of a live link. */
export interface Subscription {
  readonly itemId: number;
  readonly workspaceId: string;
  readonly reader: LiveReader;
  /** The client's address, for limits. */
  readonly address: string;
}

/** The part of a socket that the hub uses. */
export type LiveSocket = Pick<ServerWebSocket<Subscription>, "data" | "send" | "close">;

/** Sockets of readers who see the same state of a report. */
interface Room {
  reader: LiveReader;
  /** When the readers lose their access, as last read. */
  endsAt: Instant;
  sockets: Set<LiveSocket>;
}

interface WatchedItem {
  id: number;
  workspaceId: string;
  rooms: Map<string, Room>;
  /** Sockets that have not been greeted yet. */
  arriving: Set<LiveSocket>;
  /** Whether the report may have changed since the rooms were last told. */
  hasChanged: boolean;
  /** Rooms whose readers may have lost access. */
  invalidated: Set<Room>;
  isReading: boolean;
}

/** The sockets of one kind of reader that may need a message. */
interface Audience {
  reader: LiveReader;
  room: Room | undefined;
  arrived: LiveSocket[];
}

interface HubDependencies {
  live: Pick<Live, "load" | "views">;
  events: Pick<Events, "subscribe">;
  clock: Clock;
  log: Log;
  noteFanOut?: NoteFanOut | undefined;
}

/** The close code that asks a reader to reconnect, to this process or another one (RFC 6455 §7.4, IANA). */
const SERVICE_RESTART = 1012;
const TOLD_EVERYTHING = 1000;
/** The delay before a failed read is retried, in milliseconds. */
const RETRY_DELAY = 1_000;
/** The interval between checks for expired sessions, in milliseconds. */
const EXPIRY_INTERVAL = 500;
/** The number of audiences to handle in one turn of the event loop, whose readers are looked up together. */
const TURN = 200;

/**
 * Creates the hub that sends readers the current state of a report, on arrival and after every change. The hub reads a
 * report sequentially, so that no reader receives old state last. Readers that arrive during a read share the next one.
 */
export function createHub({ live, events, clock, log, noteFanOut }: HubDependencies) {
  const watched = new Map<number, WatchedItem>();
  const fanOut = createFanOut<LiveSocket>(setImmediate, noteFanOut);
  /** The number of events so far that may have ended someone's access. */
  let invalidations = 0;

  const unsubscribe = events.subscribe(notice);
  const expiring = setInterval(() => {
    const now = clock.now();
    invalidate((_, { endsAt }) => endsAt <= now);
  }, EXPIRY_INTERVAL);
  expiring.unref();

  function notice(event: ChangeEvent): void {
    switch (event.kind) {
      case "itemChanged":
        noteChange(watched.get(event.itemId));
        return;
      case "sessionsEnded":
        invalidations++;
        invalidate((_, { reader }) => reader.session?.userId === event.userId);
        return;
      case "guestLinkChanged":
        invalidations++;
        invalidate((_, { reader }) => reader.key === event.linkId);
        return;
      case "membershipChanged":
        invalidations++;
        // Colleagues' access to reports in this person's workspace depends on it too.
        invalidate(
          (item, { reader }) => reader.session?.userId === event.userId || item.workspaceId === event.ownWorkspaceId,
        );
        return;
      case "missed":
        invalidations++;
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

  function invalidate(isAffected: (item: WatchedItem, room: Room) => boolean): void {
    for (const item of watched.values()) {
      for (const room of item.rooms.values()) if (isAffected(item, room)) item.invalidated.add(room);
      if (item.invalidated.size > 0) tellNews(item);
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
    const empty = { rooms: new Map(), arriving: new Set<LiveSocket>(), invalidated: new Set<Room>() };
    const item = { id, workspaceId, ...empty, hasChanged: false, isReading: false };
    watched.set(id, item);
    return item;
  }

  const hasNews = ({ hasChanged, arriving, invalidated }: WatchedItem) =>
    hasChanged || arriving.size > 0 || invalidated.size > 0;

  async function tellNews(item: WatchedItem): Promise<void> {
    if (item.isReading || watched.get(item.id) !== item) return;
    item.isReading = true;
    try {
      while (hasNews(item)) await tellOnce(item);
    } catch (error) {
      log.error({ message: "Reading a live link failed.", error });
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
    item.invalidated = new Set();
    const invalidationsBefore = invalidations;
    const found = await live.load(item.id);
    for (let told = 0; told < audiences.length; told += TURN) {
      if (told > 0) await nextTurn();
      const turn = audiences.slice(told, told + TURN);
      const views = await live.views(
        turn.map(({ reader }) => reader),
        found,
      );
      for (const audience of turn) {
        tellAudience(item, audience, views.get(audience.reader.key), hasChanged);
        if (invalidations !== invalidationsBefore) invalidateAudience(item, audience);
      }
    }
  }

  /** Runs synchronously, so that no event comes in between. */
  function tellAudience(item: WatchedItem, { room, arrived }: Audience, view: LiveView | undefined, isNews: boolean) {
    if (room !== undefined) tellRoom(room, view, isNews);
    for (const socket of arrived) if (item.arriving.delete(socket)) greet(item, socket, view);
  }

  /** Marks an audience whose view was read before an event that may have ended its access. */
  function invalidateAudience({ rooms, invalidated }: WatchedItem, { reader }: Audience): void {
    const room = rooms.get(reader.key);
    if (room !== undefined && reader.session !== undefined) invalidated.add(room);
  }

  function gather({ rooms, arriving, hasChanged, invalidated }: WatchedItem): Audience[] {
    const audiences = new Map<string, Audience>();
    for (const room of hasChanged ? rooms.values() : invalidated) {
      audiences.set(room.reader.key, { reader: room.reader, room, arrived: [] });
    }
    for (const socket of arriving) {
      const { reader } = socket.data;
      const known = audiences.get(reader.key);
      if (known !== undefined) known.arrived.push(socket);
      else audiences.set(reader.key, { reader, room: undefined, arrived: [socket] });
    }
    return [...audiences.values()];
  }

  function tellRoom(room: Room, view: LiveView | undefined, isNews: boolean): void {
    const { sockets } = room;
    if (view === undefined) {
      fanOut.tell(sockets, sayGone);
      return;
    }
    room.endsAt = view.endsAt;
    if (isNews) {
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
    const room = item.rooms.get(reader.key) ?? { reader, endsAt: view.endsAt, sockets: new Set() };
    item.rooms.set(reader.key, room);
    room.sockets.add(socket);
    socket.send(encode({ type: "hello", ...currentFact(view) }));
  }

  function sayGone(socket: LiveSocket): void {
    socket.send(encode({ type: "gone" }));
    socket.close(TOLD_EVERYTHING, "gone");
  }

  /** Closes all sockets. Readers reconnect when a server is available. */
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
