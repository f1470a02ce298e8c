import { Socket } from "node:net";
import pg from "pg";

const CHANNEL = "vitrine";
/** Milliseconds before reconnecting to the database; doubles with each failure. */
const RETRY_DELAY = 250;
const LONGEST_RETRY_DELAY = 1_000;
/** Milliseconds. A database that hangs reports no error. */
const TIMEOUT = 2_000;
/** Milliseconds for the last messages on close. */
const GOODBYE = 500;

interface ChannelDependencies {
  url: string;
  hear(text: string): void;
  connected(): void;
  /** Called each time the connection is lost. */
  lost(error: unknown): void;
}

interface Connection {
  client: pg.Client;
  socket: Socket;
  /** Messages to send after the current statement. */
  waiting: string[];
  /** Undefined while nothing is being sent. */
  sending: Promise<void> | undefined;
}

/** Sends and receives the notifications of one database, which all listeners hear in commit order. */
export function createChannel({ url, hear, connected, lost }: ChannelDependencies) {
  let connection: Connection | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isOver = false;

  /** Resolves when the connection listens. Throws if the database cannot be reached. */
  async function connect(): Promise<void> {
    const next = open();
    try {
      await next.client.connect();
      // Notifications need not survive a crash of the database, so its disk is not waited for.
      await next.client.query("set synchronous_commit = off");
      await next.client.query(`listen ${CHANNEL}`);
    } catch (error) {
      next.socket.destroy();
      throw error;
    }
    if (isOver) {
      next.socket.destroy();
      return;
    }
    connection = next;
    failures = 0;
    connected();
  }

  function open(): Connection {
    const socket = new Socket();
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: TIMEOUT,
      query_timeout: TIMEOUT,
      application_name: "vitrine events",
      keepAlive: true,
      stream: () => socket,
    });
    const opened: Connection = { client, socket, waiting: [], sending: undefined };
    client.on("error", (error) => drop(opened, error));
    client.on("end", () => drop(opened, new Error("The database closed the connection.")));
    client.on("notification", ({ payload }) => {
      if (connection === opened && payload !== undefined) hear(payload);
    });
    return opened;
  }

  function drop(dropped: Connection, error: unknown): void {
    if (connection !== dropped) return;
    connection = undefined;
    // Closing politely would wait for a server that may be unreachable.
    dropped.socket.destroy();
    if (isOver) return;
    lost(error);
    retry();
  }

  function retry(): void {
    const delay = Math.min(RETRY_DELAY * 2 ** failures++, LONGEST_RETRY_DELAY);
    timer = setTimeout(() => {
      connect().catch(() => {
        if (!isOver) retry();
      });
    }, delay);
    timer.unref();
  }

  /** Sends messages; those that come during a statement go out together with the next one. */
  function send(texts: readonly string[]): void {
    if (connection === undefined || texts.length === 0) return;
    connection.waiting.push(...texts);
    connection.sending ??= sendWaiting(connection);
  }

  async function sendWaiting(current: Connection): Promise<void> {
    try {
      while (current.waiting.length > 0) {
        const texts = current.waiting;
        current.waiting = [];
        await current.client.query({
          name: "notify",
          text: "select pg_notify($1, message) from unnest($2::text[]) with ordinality as messages (message, place) order by place",
          values: [CHANNEL, texts],
        });
      }
      current.sending = undefined;
    } catch (error) {
      drop(current, error);
    }
  }

  /** Replaces the connection by a new one. */
  function renew(reason: Error): void {
    if (connection !== undefined) drop(connection, reason);
  }

  /** Sends the remaining messages, if that does not take long, and closes the connection. */
  async function close(): Promise<void> {
    isOver = true;
    clearTimeout(timer);
    const last = connection;
    const goodbye = Promise.resolve(last?.sending).then(() => {
      connection = undefined;
      return last?.client.end();
    });
    await Promise.race([goodbye.catch(() => undefined), Bun.sleep(GOODBYE)]);
    connection = undefined;
    last?.socket.destroy();
  }

  return { connect, send, renew, close };
}
