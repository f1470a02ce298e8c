import type { CurrentFact, LiveMessage } from "../messages.ts";

/**
 * Milliseconds before the first retry, and the longest wait. Each wait is randomized so that pages don't reconnect all
 * at once.
 */
const FIRST_PAUSE = 1_000;
const MAX_PAUSE = 15_000;
/** Milliseconds to wait for the server's first message. */
const GREETING_TIMEOUT = 10_000;
/** Milliseconds between checks that an open socket still works. */
const CHECK_INTERVAL = 5 * 60_000;

interface Listener {
  /** Returns whether this is new to the page. */
  current(fact: CurrentFact): boolean;
  gone(): void;
  /** Reports whether updates can currently arrive. */
  reachable(isReachable: boolean): void;
}

/** What shows that a guest may follow a report, which no address may show. */
export interface Proof {
  /** The protocols of the socket. */
  protocols: string[];
  /** The headers of other requests. */
  headers: Record<string, string>;
}

/**
 * Follows a report's current version over a socket, and polls while it is closed. Addresses are relative to the page's
 * own, which changes when the report is renamed.
 */
export function connect(listener: Listener, proof?: Proof): void {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempts = 0;
  let isOver = false;

  function open(): void {
    clearTimeout(timer);
    socket?.close();
    const opening = new WebSocket(new URL("~socket", location.href.replace(/^http/, "ws")), proof?.protocols);
    socket = opening;
    timer = setTimeout(() => opening.close(), GREETING_TIMEOUT);
    opening.onmessage = ({ data }) => {
      if (socket !== opening) return;
      const message: LiveMessage = JSON.parse(data);
      hear(message);
    };
    opening.onclose = () => {
      if (socket === opening) closed();
    };
  }

  function hear(message: LiveMessage): void {
    if (message.type === "gone") {
      end();
      return;
    }
    attempts = 0;
    clearTimeout(timer);
    timer = setTimeout(check, varied(CHECK_INTERVAL));
    listener.reachable(true);
    listener.current(message);
  }

  function closed(): void {
    socket = undefined;
    clearTimeout(timer);
    if (isOver) return;
    const pause = Math.min(FIRST_PAUSE * 2 ** attempts, MAX_PAUSE);
    attempts++;
    if (attempts > 1) ask();
    timer = setTimeout(open, varied(pause));
  }

  /** A socket can be dead without an event, so this compares it with the server's state. */
  function check(): void {
    if (isOver) return;
    ask().then((isNews) => {
      if (isNews || socket?.readyState !== WebSocket.OPEN) open();
    });
    clearTimeout(timer);
    timer = setTimeout(check, varied(CHECK_INTERVAL));
  }

  /** Returns whether the answer was news to the page. */
  async function ask(): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(GREETING_TIMEOUT);
      const response = await fetch("~current", { cache: "no-cache", headers: proof?.headers ?? {}, signal });
      if (response.status === 404) {
        end();
        return false;
      }
      if (!response.ok) throw new Error(response.statusText);
      const fact: CurrentFact = await response.json();
      if (isOver) return false;
      listener.reachable(true);
      return listener.current(fact);
    } catch {
      if (!isOver) listener.reachable(false);
      return false;
    }
  }

  function end(): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    socket?.close();
    listener.gone();
  }

  addEventListener("offline", () => listener.reachable(false));
  addEventListener("online", open);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) check();
  });
  open();
}

const varied = (milliseconds: number) => milliseconds * (0.5 + Math.random());
