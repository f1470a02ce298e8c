import type { CurrentFact, LiveMessage } from "../messages.ts";

/** Milliseconds: of the first and the longest pause between attempts, each varied by half, so that not all come at once. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 15_000;
/** What the server's greeting may take. */
const GREETING_PATIENCE = 10_000;
/** With an open socket this is only to make sure that it is one. */
const CHECK_INTERVAL = 5 * 60_000;

interface Listener {
  /** Returns whether this had not been known. */
  current(fact: CurrentFact): boolean;
  gone(): void;
  /** Whether news can be expected to come. */
  reachable(isReachable: boolean): void;
}

/**
 * Keeps the page told: by its socket, and while there is none by asking now and then. Addresses are relative to the
 * page's own, which a new name changes.
 */
export function connect(listener: Listener): void {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempts = 0;
  let isOver = false;

  function open(): void {
    clearTimeout(timer);
    socket?.close();
    const opening = new WebSocket(new URL("~socket", location.href.replace(/^http/, "ws")));
    socket = opening;
    timer = setTimeout(() => opening.close(), GREETING_PATIENCE);
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
    const pause = Math.min(FIRST_PAUSE * 2 ** attempts, LONGEST_PAUSE);
    attempts++;
    if (attempts > 1) ask();
    timer = setTimeout(open, varied(pause));
  }

  /** A socket may be dead without anybody knowing; what it should have said shows that. */
  function check(): void {
    if (isOver) return;
    ask().then((isNews) => {
      if (isNews || socket?.readyState !== WebSocket.OPEN) open();
    });
    clearTimeout(timer);
    timer = setTimeout(check, varied(CHECK_INTERVAL));
  }

  /** Whether the answer says something that had not been heard. */
  async function ask(): Promise<boolean> {
    try {
      const response = await fetch("~current", { cache: "no-cache", signal: AbortSignal.timeout(GREETING_PATIENCE) });
      if (response.status === 404) {
        end();
        return false;
      }
      if (!response.ok) throw new Error(`The server answered ${response.status}.`);
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
