import type { ServerWebSocket } from "bun";
import type { PortalMessage } from "../../contract/live/portal-socket.ts";
import type { Instant, WorkspacePart } from "../../domain/model/entities.ts";
import type { ChangeEvent, Events } from "../../domain/model/events.ts";
import type { Clock } from "../../domain/model/ports.ts";
import type { KnownSession, PeopleStore } from "../../domain/people/ports.ts";
import type { Log } from "../../observability/log.ts";
import { createFanOut, type NoteFanOut } from "./fan-out.ts";
import { createPace } from "./pace.ts";
import { createRoom, type Room } from "./room.ts";

/** The data of a portal socket. */
export interface PortalSubscription {
  /** The reference of the session. */
  readonly ref: string;
  readonly userId: string;
  /** The client's address, for limits. */
  readonly address: string;
}

/** The part of a socket that the hub uses. */
export type PortalSocket = Pick<ServerWebSocket<PortalSubscription>, "data" | "send" | "close">;
type WorkspaceRoom = Room<PortalSocket, WorkspacePart>;

/** A session with its open pages. */
interface PortalSession {
  readonly ref: string;
  readonly userId: string;
  expiresAt: Instant;
  /** Slugs by workspace ID. */
  workspaces: ReadonlyMap<string, string>;
  /** Its pages and messages for them only. */
  readonly room: Room<PortalSocket, string>;
  /** Pages that have not been greeted yet. */
  readonly arriving: Set<PortalSocket>;
  /** Whether its access must be read again. Until then it receives no messages. */
  isHeld: boolean;
  /** Whether its access may have changed since the last read. */
  isInvalidated: boolean;
  /** Whether it missed messages while it was held. */
  hasMissed: boolean;
  /** Whether the person's account changed. */
  hasChanged: boolean;
  readAgain(): void;
}

interface PortalHubDependencies {
  store: { people: Pick<PeopleStore, "findSessionByRef"> };
  events: Pick<Events, "subscribe">;
  clock: Clock;
  log: Log;
  noteFanOut?: NoteFanOut | undefined;
}

/** The close code that asks a page to reconnect, to this process or another one (RFC 6455 §7.4, IANA). */
const SERVICE_RESTART = 1012;
const TOLD_EVERYTHING = 1000;
/** The delay before a failed read is retried, in milliseconds. */
const RETRY_DELAY = 1_000;
/** The interval between checks for expired sessions, in milliseconds. */
const EXPIRY_INTERVAL = 500;
/** The minimum interval between two reads of a session, in milliseconds. */
const READ_WINDOW = 50;

const encode = (message: PortalMessage): string => JSON.stringify(message);
const HELLO = encode({ type: "hello" });
const ACCOUNT = encode({ type: "account" });
const GONE = encode({ type: "gone" });

/**
 * Creates the hub that notifies the portal of changes in the user's workspaces. When a session's access may have changed,
 * it receives no messages until it has been read again.
 */
export function createPortalHub({ store, events, clock, log, noteFanOut }: PortalHubDependencies) {
  const portalSessions = new Map<string, PortalSession>();
  const rooms = new Map<string, WorkspaceRoom>();
  const fanOut = createFanOut<PortalSocket>(setImmediate, noteFanOut);

  const unsubscribe = events.subscribe(notice);
  const expiring = setInterval(() => {
    const now = clock.now();
    for (const session of portalSessions.values()) if (session.expiresAt <= now) invalidate(session);
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
        for (const session of portalSessions.values()) {
          session.hasMissed = true;
          invalidate(session);
        }
        return;
      case "interrupted":
        turnAway();
    }
  }

  function noteAccount(userId: string): void {
    for (const session of sessionsOf(userId)) {
      session.hasChanged = true;
      invalidate(session);
    }
  }

  function noteShortcuts({ userId, workspaceId }: { userId: string; workspaceId: string }): void {
    for (const { room, workspaces } of sessionsOf(userId)) {
      const owner = workspaces.get(workspaceId);
      if (owner !== undefined) room.add(encode({ type: "changed", owner, about: ["shortcuts"] }));
    }
  }

  const sessionsOf = (userId: string) => portalSessions.values().filter((session) => session.userId === userId);

  function invalidate(session: PortalSession): void {
    session.isHeld = true;
    session.isInvalidated = true;
    session.readAgain();
  }

  function open(socket: PortalSocket): void {
    const session = portalSessions.get(socket.data.ref) ?? addSession(socket.data);
    session.arriving.add(socket);
    session.readAgain();
  }

  function addSession({ ref, userId }: PortalSubscription): PortalSession {
    const session: PortalSession = {
      ref,
      userId,
      expiresAt: Number.POSITIVE_INFINITY,
      workspaces: new Map(),
      room: createRoom({ fanOut, phrase: (texts) => [...texts], say }),
      arriving: new Set(),
      isHeld: true,
      isInvalidated: false,
      hasMissed: false,
      hasChanged: false,
      readAgain: createPace(READ_WINDOW, () => read(session)),
    };
    portalSessions.set(ref, session);
    return session;
  }

  async function read(session: PortalSession): Promise<void> {
    if (portalSessions.get(session.ref) !== session) return;
    session.isInvalidated = false;
    const arrived = [...session.arriving];
    try {
      const found = await store.people.findSessionByRef(session.ref, clock.now());
      if (found === undefined) sendAway(session);
      // If the session was invalidated during the read, the result may be stale and another read follows.
      else if (!session.isInvalidated) admit(session, found, arrived);
    } catch (error) {
      log.error({ message: "Reading the session of a portal socket failed.", error });
      setTimeout(session.readAgain, RETRY_DELAY).unref();
    }
  }

  /** Runs synchronously, so that no event comes in between. */
  function admit(session: PortalSession, { expiresAt, caller }: KnownSession, arrived: readonly PortalSocket[]): void {
    const { room, arriving, hasChanged, hasMissed } = session;
    if (hasChanged) room.add(ACCOUNT);
    if (hasMissed) room.add(HELLO);
    Object.assign(session, { expiresAt, isHeld: false, hasChanged: false, hasMissed: false });
    const greeted = arrived.filter((socket) => arriving.delete(socket));
    for (const socket of greeted) room.sockets.add(socket);
    subscribe(session, new Map(caller.memberships.map(({ id, slug }) => [id, slug])));
    for (const socket of greeted) socket.send(HELLO);
  }

  function subscribe(session: PortalSession, workspaces: ReadonlyMap<string, string>): void {
    for (const id of session.workspaces.keys()) if (!workspaces.has(id)) leave(id, session.room.sockets);
    session.workspaces = workspaces;
    for (const [id, slug] of workspaces) {
      const { sockets } = rooms.get(id) ?? openRoom(id, slug);
      for (const socket of session.room.sockets) sockets.add(socket);
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
    const session = portalSessions.get(socket.data.ref);
    if (session?.isHeld) session.hasMissed = true;
    else if (session !== undefined) for (const text of texts) socket.send(text);
  }

  function sendAway(session: PortalSession): void {
    forget(session);
    fanOut.tell(pagesOf(session), (socket) => {
      socket.send(GONE);
      socket.close(TOLD_EVERYTHING, "gone");
    });
  }

  function forget(session: PortalSession): void {
    portalSessions.delete(session.ref);
    for (const id of session.workspaces.keys()) leave(id, session.room.sockets);
  }

  const pagesOf = ({ room, arriving }: PortalSession) => room.sockets.union(arriving);

  function close(socket: PortalSocket): void {
    const session = portalSessions.get(socket.data.ref);
    if (session === undefined) return;
    for (const id of session.workspaces.keys()) leave(id, [socket]);
    session.room.sockets.delete(socket);
    session.arriving.delete(socket);
    if (pagesOf(session).size === 0) forget(session);
  }

  /** Closes all sockets. Pages reconnect when a server is available. */
  function stop(): void {
    unsubscribe();
    clearInterval(expiring);
    turnAway();
  }

  function turnAway(): void {
    for (const session of [...portalSessions.values()]) {
      for (const socket of pagesOf(session)) socket.close(SERVICE_RESTART, "restart");
    }
  }

  return { open, close, stop };
}
