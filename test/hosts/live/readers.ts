import type { CurrentFact, LiveMessage } from "../../../src/hosts/live/messages.ts";
import { until } from "../../support/content.ts";

interface Ending {
  code: number;
  /** Milliseconds since 1970. */
  at: number;
}

/** A connection to a live link's socket. */
export interface Reader {
  messages: LiveMessage[];
  /** Returns the next message that was not read yet. */
  next(): Promise<LiveMessage>;
  /** Returns the next message that says something new: a replica that hears of a change late tells a reader again what it said. */
  news(): Promise<LiveMessage>;
  ended: Promise<Ending>;
  socket: WebSocket;
}

const socketUrl = (link: string) => `${link.replace(/^http/, "ws")}~socket`;

/** Connects as the page of a live link does. Rejects if the server refuses. */
export async function readLive(link: string, headers: Readonly<Record<string, string>> = {}): Promise<Reader> {
  const all = { Origin: new URL(link).origin, ...headers };
  const socket = new WebSocket(socketUrl(link), { headers: all });
  const messages: LiveMessage[] = [];
  const ended = Promise.withResolvers<Ending>();
  const opened = Promise.withResolvers<void>();
  let taken = 0;
  socket.onopen = () => opened.resolve();
  socket.onmessage = ({ data }) => {
    messages.push(JSON.parse(String(data)));
  };
  socket.onclose = ({ code }) => {
    opened.reject(new Error(`The socket was closed (${code}).`));
    ended.resolve({ code, at: Date.now() });
  };
  await opened.promise;
  const next = () => until(async () => (messages.length > taken ? messages[taken++] : undefined));
  async function news(): Promise<LiveMessage> {
    const { type: _, ...known } = messages[taken - 1] ?? {};
    for (;;) {
      const message = await next();
      const { type, ...said } = message;
      if (type === "gone" || !Bun.deepEquals(said, known)) return message;
    }
  }
  return { messages, next, news, ended: ended.promise, socket };
}

/** Returns the response to an attempt to connect; closes the connection if it succeeds. */
export async function knock(link: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const leaving = new AbortController();
  const response = await fetch(`${link}~socket`, {
    signal: leaving.signal,
    headers: {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...headers,
    },
  });
  if (response.status === 101) leaving.abort();
  return response;
}

export async function currentOf(link: string): Promise<CurrentFact> {
  const response = await fetch(`${link}~current`);
  // Tests compare it field by field.
  return response.json() as Promise<CurrentFact>;
}
