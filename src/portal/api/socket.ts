import type { QueryClient } from "@tanstack/react-query";
import { PORTAL_SOCKET_PATH, portalMessage } from "../../client/routes.ts";
import { refreshAbout } from "./changes.ts";
import { keys } from "./queries.ts";

/** Milliseconds before the connection is tried again: longer each time, and never for all pages at once. */
const FIRST_DELAY = 500;
const LONGEST_DELAY = 20_000;

/** Milliseconds until a page that has just been opened asks for all it shows once more. */
const FIRST_LOOK_DELAY = 1_500;

export type SocketState = "connecting" | "open" | "away";

interface Parts {
  queries: QueryClient;
  session: {
    isAlive(): Promise<boolean>;
    expire(): void;
  };
  onState(state: SocketState): void;
}

/** Keeps what is on the page as the server has it, for as long as the page is open. Returns what ends it. */
export function followChanges({ queries, session, onState }: Parts): () => void {
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
      // Nobody knows what was missed before. At first that is next to nothing, and the page has other things to do.
      if (!wasGreeted) await new Promise((resolve) => setTimeout(resolve, FIRST_LOOK_DELAY));
      wasGreeted = true;
      await queries.invalidateQueries();
    } else if (message.type === "account") {
      await queries.invalidateQueries({ queryKey: keys.account });
    } else {
      await refreshAbout(queries, message.owner, message.about);
    }
  }

  /** The session that the socket was for has ended; with a new password there is another. */
  async function followSession(): Promise<void> {
    socket?.removeEventListener("close", retry);
    const isAlive = await session.isAlive();
    if (isOver) return;
    if (isAlive) {
      connect();
      return;
    }
    stop();
    session.expire();
  }

  function retry(): void {
    if (isOver) return;
    onState("away");
    const delay = Math.min(FIRST_DELAY * 2 ** failures++, LONGEST_DELAY);
    timer = setTimeout(connect, delay * (0.5 + Math.random() / 2));
  }

  /** What was put off for long is worth a try as soon as there is a network again. */
  function hurry(): void {
    if (isOver || socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(timer);
    failures = 0;
    connect();
  }

  function stop(): void {
    isOver = true;
    clearTimeout(timer);
    removeEventListener("online", hurry);
    socket?.close();
  }

  addEventListener("online", hurry);
  connect();
  return stop;
}
