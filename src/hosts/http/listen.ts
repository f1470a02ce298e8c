import type { Server, ServerWebSocket, WebSocketHandler } from "bun";
import type { Clock } from "../../domain/model/ports.ts";
import { BODY_PACE, type PaceRule } from "./body-pace.ts";
import { drain } from "./drain.ts";
import { createKeepAlive } from "./keep-alive.ts";

/** Returns the response to a request, or undefined if it upgraded the request to a socket. */
export type Handler<Data> = (
  request: Request,
  server: Server<Data>,
) => Response | undefined | Promise<Response | undefined>;

/** Handles opened and closed sockets. Messages from readers are ignored. */
export interface SocketEvents<Data> {
  open(socket: ServerWebSocket<Data>): void;
  close(socket: ServerWebSocket<Data>): void;
}

/** Returns the response to an error that a handler did not catch. It holds no details. */
const lastResort = () =>
  Response.json({ error: "Something went wrong on the server. Try again later." }, { status: 500 });

/** Practically unlimited: body limits are enforced while reading, with a response that explains them. */
const BODY_LIMIT = 1024 ** 4;
const IDLE_SECONDS = 60;
const PORT_ATTEMPTS = 20;
const TOO_SLOW = 408;
/** The time for aborted connections to close, in milliseconds. */
const CUT_GRACE = 500;
/** A socket that was silent for this long, in seconds, is closed. It was pinged in the meantime. */
const SOCKET_IDLE_SECONDS = 40;
/** Every socket is pinged once in this many turns, `PING_INTERVAL` milliseconds apart. */
const PING_TURNS = 30;
const PING_INTERVAL = 500;
/** The maximum size of a message from a reader, in bytes. Messages are ignored. */
const SOCKET_INBOUND_BYTES = 1024;
/** The maximum number of bytes queued for a slow reader before its socket is closed. */
const SOCKET_BACKLOG_BYTES = 64 * 1024;

export interface Listener<Data> {
  port: number;
  /** Starts to handle requests and sockets. */
  handle(handler: Handler<Data>, sockets?: SocketEvents<Data>): void;
  /** Stops accepting requests. Resolves when pending ones are answered, or aborted after `grace` milliseconds. */
  stop(grace: number): Promise<void>;
}

/** Listens on one port of all addresses. Requests wait until `handle` is called. */
export function listen<Data = undefined>(
  addresses: readonly string[],
  port: number,
  clock: Clock,
  pace: PaceRule = BODY_PACE,
): Listener<Data> {
  const ready = Promise.withResolvers<Handler<Data>>();
  const waitForHandler: Handler<Data> = async (request, server) => (await ready.promise)(request, server);
  const servers = bindAll(addresses, port, waitForHandler);
  const keepAlive = createKeepAlive<ServerWebSocket<Data>>(PING_TURNS);
  const pinging = setInterval(keepAlive.takeTurn, PING_INTERVAL);
  return {
    port: servers[0]?.port ?? port,
    handle(handler, sockets = NO_SOCKETS) {
      const websocket = socketHandler<Data>({
        open(socket) {
          keepAlive.add(socket);
          sockets.open(socket);
        },
        close(socket) {
          keepAlive.remove(socket);
          sockets.close(socket);
        },
      });
      const fetch: Handler<Data> = (request, server) => {
        const answer = handler(request, server);
        return request.method === "GET" ? answer : answeredWhenDrained(answer, () => drain(request, clock, pace));
      };
      for (const server of servers) server.reload({ fetch, error: lastResort, websocket });
      ready.resolve(fetch);
    },
    async stop(grace) {
      clearInterval(pinging);
      const answered = Promise.all(servers.map((server) => server.stop()));
      await Promise.race([answered, Bun.sleep(grace)]);
      // Aborting closes connections immediately, but `stop` would still wait for a handler that waits for the database.
      const ended = Promise.all(servers.map((server) => server.stop(true)));
      await Promise.race([ended, Bun.sleep(CUT_GRACE)]);
    },
  };
}

async function answeredWhenDrained(
  answer: ReturnType<Handler<unknown>>,
  drainBody: () => Promise<void>,
): Promise<Response | undefined> {
  const known = await answer;
  // Does not wait for the rest of a body that arrived too slowly.
  if (known?.status !== TOO_SLOW) await drainBody();
  return known;
}

const NO_SOCKETS: SocketEvents<unknown> = { open: (socket) => socket.close(), close: () => undefined };

function socketHandler<Data>({ open, close }: SocketEvents<Data>): WebSocketHandler<Data> {
  return {
    open,
    close,
    message: () => undefined,
    maxPayloadLength: SOCKET_INBOUND_BYTES,
    idleTimeout: SOCKET_IDLE_SECONDS,
    sendPings: false,
    backpressureLimit: SOCKET_BACKLOG_BYTES,
    closeOnBackpressureLimit: true,
    perMessageDeflate: false,
  };
}

function bindAll<Data>(addresses: readonly string[], port: number, handler: Handler<Data>): Server<Data>[] {
  for (let attempt = 1; ; attempt++) {
    try {
      return bindOnce(addresses, port, handler);
    } catch (error) {
      // With port 0, the port found free on the first address may be in use on another.
      if (port !== 0 || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

/** Binds all addresses, or none. */
function bindOnce<Data>(addresses: readonly string[], port: number, handler: Handler<Data>): Server<Data>[] {
  const servers: Server<Data>[] = [];
  try {
    for (const address of addresses) {
      const server = bind(address, servers[0]?.port ?? port, handler, addresses.length > 1);
      if (server) servers.push(server);
    }
    return servers;
  } catch (error) {
    for (const server of servers) server.stop(true);
    throw error;
  }
}

function bind<Data>(
  hostname: string,
  port: number,
  fetch: Handler<Data>,
  isOptional: boolean,
): Server<Data> | undefined {
  try {
    return Bun.serve<Data>({
      hostname,
      port,
      fetch,
      websocket: socketHandler<Data>(NO_SOCKETS),
      error: lastResort,
      development: false,
      // By default, Bun in production shares the port with other processes.
      reusePort: false,
      maxRequestBodySize: BODY_LIMIT,
      idleTimeout: IDLE_SECONDS,
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // The machine may have no IPv6.
    if (isOptional && hostname === "::1" && code !== "EADDRINUSE") return undefined;
    throw error;
  }
}
