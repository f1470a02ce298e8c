import type { QueryClient } from "@tanstack/react-query";
import { PORTAL_SOCKET_PATH, portalMessage } from "../../client/routes.ts";
import { refreshAbout } from "./changes.ts";
import { keys } from "./first-queries.ts";

/** Milliseconds before reconnecting; grows with each attempt and is randomized per page. */
const FIRST_DELAY = 500;
const MAX_DELAY = 10_000;

/** Milliseconds before a newly opened page refetches everything it shows. */
const FIRST_LOOK_DELAY = 1_500;

export type SocketState = "connecting" | "open" | "away";

interface FollowDependencies {
  queries: QueryClient;
  session: {
    check(): Promise<boolean>;
  };
  onState(state: SocketState): void;
}

/** Keeps the page up to date while it is open. */
export function followChanges({ queries, session, onState }: FollowDependencies) {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isOver = false;
  let wasGreeted = false;

  function connect(): void {
    socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${PORTAL_SOCKET_PATH}`);
    socket.addEventListener("message", ({ data }) => void hear(data));
    socket.addEventListener("close", retry);
  }

  async function hear(data: unknown): Promise<void> {
    const message = portalMessage.parse(JSON.parse(String(data)));
    if (message.type === "gone") {
      await followSession();
    } else if (message.type === "hello") {
      failures = 0;
      onState("open");
      // Changes before the connection are unknown. On first load that gap is short, and the page is busy.
      if (!wasGreeted) await new Promise((resolve) => setTimeout(resolve, FIRST_LOOK_DELAY));
      wasGreeted = true;
      await queries.invalidateQueries();
    } else if (message.type === "account") {
      await queries.invalidateQueries({ queryKey: keys.account });
    } else {
      await refreshAbout(queries, message.owner, message.about);
    }
  }

  /** The socket's session has ended; changing the password starts a new one. */
  async function followSession(): Promise<void> {
    socket?.removeEventListener("close", retry);
    const isAlive = await session.check();
    if (isOver) return;
    if (isAlive) connect();
    else stop();
  }

  async function retry(): Promise<void> {
    if (isOver) return;
    onState("away");
    const delay = Math.min(FIRST_DELAY * 2 ** failures++, MAX_DELAY);
    timer = setTimeout(connect, delay * (0.5 + Math.random() / 2));
    // Browsers don't say why a socket didn't open: the session may have ended meanwhile.
    if (failures > 1 && !(await session.check())) stop();
  }

  /** A network that comes back is worth an immediate attempt. */
  function hurry(): void {
    if (isOver || socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(timer);
    failures = 0;
    connect();
  }

  /** Without a network, an open socket would only notice when it sends something; one that is still connecting fails. */
  function lose(): void {
    onState("away");
    if (socket?.readyState === WebSocket.OPEN) socket.close();
  }

  function stop(): void {
    isOver = true;
    clearTimeout(timer);
    removeEventListener("online", hurry);
    removeEventListener("offline", lose);
    socket?.close();
  }

  addEventListener("online", hurry);
  addEventListener("offline", lose);
  connect();
  return { stop, hurry };
}
