import { Socket } from "node:net";
import pg from "pg";

const CHANNEL = "vitrine";
/** Milliseconds until the database is tried again. */
const RETRY_DELAY = 250;
const LONGEST_RETRY_DELAY = 1_000;
/** Milliseconds: a database that stands still gives no error of its own. */
const TIMEOUT = 2_000;
/** Milliseconds for the last that there is to say. */
const GOODBYE = 500;

interface Parts {
  url: string;
  hear(text: string): void;
  connected(): void;
  /** Every time that there was a connection and is none any more. */
  lost(error: unknown): void;
}

interface Line {
  client: pg.Client;
  socket: Socket;
  /** What is to be said after the statement under way. */
  waiting: string[];
  /** Undefined while nothing is being said. */
  saying: Promise<void> | undefined;
}

/** Notifications of one database: heard by all who listen, in the order in which they were committed. */
export function createChannel({ url, hear, connected, lost }: Parts) {
  let line: Line | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isOver = false;

  /** Resolves when somebody listens. Throws when the database cannot be reached. */
  async function connect(): Promise<void> {
    const next = openLine();
    try {
      await next.client.connect();
      // Nothing said here has to survive a crash of the database, and then nobody waits for its disk.
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
    line = next;
    failures = 0;
    connected();
  }

  function openLine(): Line {
    const socket = new Socket();
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: TIMEOUT,
      query_timeout: TIMEOUT,
      application_name: "vitrine events",
      keepAlive: true,
      stream: () => socket,
    });
    const opened: Line = { client, socket, waiting: [], saying: undefined };
    client.on("error", (error) => drop(opened, error));
    client.on("end", () => drop(opened, new Error("The database closed the connection.")));
    client.on("notification", ({ payload }) => {
      if (line === opened && payload !== undefined) hear(payload);
    });
    return opened;
  }

  function drop(dropped: Line, error: unknown): void {
    if (line !== dropped) return;
    line = undefined;
    // A goodbye would wait for a server that may be out of reach.
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

  /** What is said while a statement is under way goes out together with the next. */
  function send(texts: readonly string[]): void {
    if (line === undefined || texts.length === 0) return;
    line.waiting.push(...texts);
    line.saying ??= say(line);
  }

  async function say(current: Line): Promise<void> {
    try {
      while (current.waiting.length > 0) {
        const texts = current.waiting;
        current.waiting = [];
        await current.client.query({
          name: "notify",
          text: "select pg_notify($1, said) from unnest($2::text[]) with ordinality as all_said (said, place) order by place",
          values: [CHANNEL, texts],
        });
      }
      current.saying = undefined;
    } catch (error) {
      drop(current, error);
    }
  }

  /** Gives the connection up for a new one. */
  function renew(reason: Error): void {
    if (line !== undefined) drop(line, reason);
  }

  /** Says what is left to be said, if that does not take long. */
  async function close(): Promise<void> {
    isOver = true;
    clearTimeout(timer);
    const last = line;
    const goodbye = Promise.resolve(last?.saying).then(() => {
      line = undefined;
      return last?.client.end();
    });
    await Promise.race([goodbye.catch(() => undefined), Bun.sleep(GOODBYE)]);
    line = undefined;
    last?.socket.destroy();
  }

  return { connect, send, renew, close };
}
