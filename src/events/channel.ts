import { Socket } from "node:net";
import pg from "pg";

const CHANNEL = "vitrine";
/** Milliseconds until the database is tried again. */
const RETRY_DELAY = 250;
const LONGEST_RETRY_DELAY = 2_000;
/** Milliseconds: a database that stands still gives no error of its own. */
const TIMEOUT = 2_000;

interface Parts {
  url: string;
  hear(text: string): void;
  connected(): void;
  /** Every time that there was a connection and is none any more. */
  lost(error: unknown): void;
}

/** Notifications of one database: heard by all who listen, in the order in which they were committed. */
export function createChannel({ url, hear, connected, lost }: Parts) {
  let client: pg.Client | undefined;
  let socket: Socket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isOver = false;
  let waiting: string[] = [];
  let isSending = false;

  /** Resolves when somebody listens. Throws when the database cannot be reached. */
  async function connect(): Promise<void> {
    const stream = new Socket();
    const next = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: TIMEOUT,
      query_timeout: TIMEOUT,
      application_name: "vitrine events",
      keepAlive: true,
      stream: () => stream,
    });
    next.on("error", (error) => drop(next, error));
    next.on("end", () => drop(next, new Error("The database closed the connection.")));
    next.on("notification", ({ payload }) => {
      if (client === next && payload !== undefined) hear(payload);
    });
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
    } catch (error) {
      stream.destroy();
      throw error;
    }
    [client, socket, failures, waiting, isSending] = [next, stream, 0, [], false];
    connected();
  }

  function drop(dropped: pg.Client, error: unknown): void {
    if (client !== dropped) return;
    client = undefined;
    // A goodbye would wait for a server that may be out of reach.
    socket?.destroy();
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
    if (client === undefined || texts.length === 0) return;
    waiting.push(...texts);
    if (!isSending) void flush(client);
  }

  async function flush(current: pg.Client): Promise<void> {
    isSending = true;
    try {
      while (waiting.length > 0 && client === current) {
        const texts = waiting;
        waiting = [];
        await current.query({
          name: "notify",
          text: "select pg_notify($1, said) from unnest($2::text[]) with ordinality as all_said (said, place) order by place",
          values: [CHANNEL, texts],
        });
      }
    } catch (error) {
      drop(current, error);
    } finally {
      if (client === current) isSending = false;
    }
  }

  async function close(): Promise<void> {
    isOver = true;
    clearTimeout(timer);
    const last = client;
    client = undefined;
    await last?.end().catch(() => undefined);
    socket?.destroy();
  }

  return { connect, send, close, isConnected: () => client !== undefined };
}
