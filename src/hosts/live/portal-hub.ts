import type { ServerWebSocket } from "bun";
import type { PortalMessage } from "../../contract/live/portal-socket.ts";
import type { Instant, WorkspacePart } from "../../domain/model/entities.ts";
import type { ChangeEvent, Events } from "../../domain/model/events.ts";
import type { Clock } from "../../domain/model/ports.ts";
import type { KnownSession, PeopleStore } from "../../domain/people/ports.ts";
import type { Log } from "../../observability/log.ts";
import { createFanOut } from "./fan-out.ts";
import { createPace } from "./pace.ts";
import { createRoom, type Room } from "./room.ts";

/** Whose socket it is. */
export interface PortalSubscription {
  /** Names the session. */
  readonly ref: string;
  readonly userId: string;
  /** By which sockets are limited. */
  readonly address: string;
}

/** As much of a socket as is needed. */
export type PortalSocket = Pick<ServerWebSocket<PortalSubscription>, "data" | "send" | "close">;
type WorkspaceRoom = Room<PortalSocket, WorkspacePart>;

/** A session with the pages that it has open. */
interface Guest {
  readonly ref: string;
  readonly userId: string;
  expiresAt: Instant;
  /** Slugs by ids. */
  workspaces: ReadonlyMap<string, string>;
  /** Its pages, and what is told to them alone. */
  readonly room: Room<PortalSocket, string>;
  /** Pages that have not been told anything yet. */
  readonly arriving: Set<PortalSocket>;
  /** Whether it is not known what it may hear: it hears nothing then. */
  isHeld: boolean;
  /** Whether it has come into doubt since the last look. */
  isDoubted: boolean;
  /** Whether there was something to hear while it was held. */
  hasMissed: boolean;
  /** Whether there is news of the person. */
  hasChanged: boolean;
  lookAgain(): void;
}

interface Parts {
  store: { people: Pick<PeopleStore, "findSessionByRef"> };
  events: Pick<Events, "subscribe">;
  clock: Clock;
  log: Log;
}

/** The close code that tells a page to come back, to this process or to another one (RFC 6455 §7.4, IANA). */
const SERVICE_RESTART = 1012;
const TOLD_EVERYTHING = 1000;
/** Milliseconds until a session that could not be read is read again. */
const RETRY_DELAY = 1_000;
/** Milliseconds between looks at which sessions have run out. */
const EXPIRY_INTERVAL = 500;
/** Milliseconds during which a session is not read twice. */
const LOOK_WINDOW = 50;

const encode = (message: PortalMessage): string => JSON.stringify(message);
const HELLO = encode({ type: "hello" });
const ACCOUNT = encode({ type: "account" });
const GONE = encode({ type: "gone" });

/**
 * Tells the pages of whoever is signed in that something changed in a workspace of theirs. A session whose rights come
 * into doubt hears nothing from that very moment on, until it has been read anew.
 */
export function createPortalHub({ store, events, clock, log }: Parts) {
  const guests = new Map<string, Guest>();
  const rooms = new Map<string, WorkspaceRoom>();
  const fanOut = createFanOut<PortalSocket>(setImmediate);

  const unsubscribe = events.subscribe(notice);
  const expiring = setInterval(() => {
    const now = clock.now();
    for (const guest of guests.values()) if (guest.expiresAt <= now) doubt(guest);
  }, EXPIRY_INTERVAL);
  expiring.unref();

  function notice(event: ChangeEvent): void {
    switch (event.kind) {
      case "itemChanged":
        rooms.get(event.workspaceId)?.add("items");
        return;
      case "workspaceChanged":
        if (event.about === "shortcuts") noteShortcuts(event);
        else rooms.get(event.workspaceId)?.add(event.about);
        return;
      case "membershipChanged":
        noteAccount(event.userId);
        rooms.get(event.workspaceId)?.add("members");
        return;
      case "accountChanged":
      case "sessionsEnded":
        noteAccount(event.userId);
        return;
      case "missed":
        for (const guest of guests.values()) {
          guest.hasMissed = true;
          doubt(guest);
        }
        return;
      case "interrupted":
        turnAway();
    }
  }

  function noteAccount(userId: string): void {
    for (const guest of guestsOf(userId)) {
      guest.hasChanged = true;
      doubt(guest);
    }
  }

  function noteShortcuts({ userId, workspaceId }: { userId: string; workspaceId: string }): void {
    for (const { room, workspaces } of guestsOf(userId)) {
      const owner = workspaces.get(workspaceId);
      if (owner !== undefined) room.add(encode({ type: "changed", owner, about: ["shortcuts"] }));
    }
  }

  const guestsOf = (userId: string) => guests.values().filter((guest) => guest.userId === userId);

  function doubt(guest: Guest): void {
    guest.isHeld = true;
    guest.isDoubted = true;
    guest.lookAgain();
  }

  function open(socket: PortalSocket): void {
    const guest = guests.get(socket.data.ref) ?? welcome(socket.data);
    guest.arriving.add(socket);
    guest.lookAgain();
  }

  function welcome({ ref, userId }: PortalSubscription): Guest {
    const guest: Guest = {
      ref,
      userId,
      expiresAt: Number.POSITIVE_INFINITY,
      workspaces: new Map(),
      room: createRoom({ fanOut, phrase: (texts) => [...texts], say }),
      arriving: new Set(),
      isHeld: true,
      isDoubted: false,
      hasMissed: false,
      hasChanged: false,
      lookAgain: createPace(LOOK_WINDOW, () => look(guest)),
    };
    guests.set(ref, guest);
    return guest;
  }

  async function look(guest: Guest): Promise<void> {
    if (guests.get(guest.ref) !== guest) return;
    guest.isDoubted = false;
    const arrived = [...guest.arriving];
    try {
      const session = await store.people.findSessionByRef(guest.ref, clock.now());
      if (session === undefined) sendAway(guest);
      // Else what was read may have been so before it came into doubt; another look is on its way.
      else if (!guest.isDoubted) admit(guest, session, arrived);
    } catch (error) {
      log.error({ message: "A session could not be read for its socket.", error });
      setTimeout(guest.lookAgain, RETRY_DELAY).unref();
    }
  }

  /** Without a pause, so that nothing can come in between. */
  function admit(guest: Guest, { expiresAt, caller }: KnownSession, arrived: readonly PortalSocket[]): void {
    const { room, arriving, hasChanged, hasMissed } = guest;
    if (hasChanged) room.add(ACCOUNT);
    if (hasMissed) room.add(HELLO);
    Object.assign(guest, { expiresAt, isHeld: false, hasChanged: false, hasMissed: false });
    const greeted = arrived.filter((socket) => arriving.delete(socket));
    for (const socket of greeted) room.sockets.add(socket);
    subscribe(guest, new Map(caller.memberships.map(({ id, slug }) => [id, slug])));
    for (const socket of greeted) socket.send(HELLO);
  }

  function subscribe(guest: Guest, workspaces: ReadonlyMap<string, string>): void {
    for (const id of guest.workspaces.keys()) if (!workspaces.has(id)) leave(id, guest.room.sockets);
    guest.workspaces = workspaces;
    for (const [id, slug] of workspaces) {
      const { sockets } = rooms.get(id) ?? openRoom(id, slug);
      for (const socket of guest.room.sockets) sockets.add(socket);
    }
  }

  function openRoom(id: string, owner: string): WorkspaceRoom {
    const phrase = (news: ReadonlySet<WorkspacePart>) => [encode({ type: "changed", owner, about: [...news].sort() })];
    const room = createRoom({ fanOut, phrase, say });
    rooms.set(id, room);
    return room;
  }

  function leave(workspaceId: string, leaving: Iterable<PortalSocket>): void {
    const room = rooms.get(workspaceId);
    for (const socket of leaving) room?.sockets.delete(socket);
    if (room?.sockets.size === 0) rooms.delete(workspaceId);
  }

  function say(socket: PortalSocket, texts: readonly string[]): void {
    const guest = guests.get(socket.data.ref);
    if (guest?.isHeld) guest.hasMissed = true;
    else if (guest !== undefined) for (const text of texts) socket.send(text);
  }

  function sendAway(guest: Guest): void {
    forget(guest);
    fanOut.tell(pagesOf(guest), (socket) => {
      socket.send(GONE);
      socket.close(TOLD_EVERYTHING, "gone");
    });
  }

  function forget(guest: Guest): void {
    guests.delete(guest.ref);
    for (const id of guest.workspaces.keys()) leave(id, guest.room.sockets);
  }

  const pagesOf = ({ room, arriving }: Guest) => room.sockets.union(arriving);

  function close(socket: PortalSocket): void {
    const guest = guests.get(socket.data.ref);
    if (guest === undefined) return;
    for (const id of guest.workspaces.keys()) leave(id, [socket]);
    guest.room.sockets.delete(socket);
    guest.arriving.delete(socket);
    if (pagesOf(guest).size === 0) forget(guest);
  }

  /** Sends every page away, to come back when there is a server again. */
  function stop(): void {
    unsubscribe();
    clearInterval(expiring);
    turnAway();
  }

  function turnAway(): void {
    for (const guest of [...guests.values()]) {
      for (const socket of pagesOf(guest)) socket.close(SERVICE_RESTART, "restart");
    }
  }

  return { open, close, stop };
}
