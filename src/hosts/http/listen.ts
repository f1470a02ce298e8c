import type { Server, ServerWebSocket, WebSocketHandler } from "bun";
import type { Clock } from "../../domain/model/ports.ts";
import { BODY_PACE, type PaceRule } from "./body-pace.ts";
import { drain } from "./drain.ts";
import { createKeepAlive } from "./keep-alive.ts";

/** Answers a request, or has made a socket of it and returns undefined. */
export type Handler<Data> = (
  request: Request,
  server: Server<Data>,
) => Response | undefined | Promise<Response | undefined>;

/** What a host does with sockets. What readers send is of no interest to it. */
export interface SocketEvents<Data> {
  open(socket: ServerWebSocket<Data>): void;
  close(socket: ServerWebSocket<Data>): void;
}

/** Sent when a handler throws in spite of everything; it tells nothing. */
const lastResort = () => Response.json({ error: "Something went wrong on the server." }, { status: 500 });

/** Bodies are bounded where they are read, with an answer that says so; the server must not be quicker. */
const BODY_LIMIT = 1024 ** 4;
const IDLE_SECONDS = 60;
const PORT_ATTEMPTS = 20;
const TOO_SLOW = 408;
/** Milliseconds for connections to close that are cut off. */
const CUT_GRACE = 500;
/** A peer that has been silent for this many seconds is gone: it has been asked meanwhile whether it is there. */
const SOCKET_IDLE_SECONDS = 40;
/** Every peer is asked once in so many turns of so many milliseconds. */
const PING_TURNS = 30;
const PING_INTERVAL = 500;
/** Bytes of one message that a reader may send, though none is read. */
const SOCKET_INBOUND_BYTES = 1024;
/** Bytes that wait for a slow reader before it is dropped. */
const SOCKET_BACKLOG_BYTES = 64 * 1024;

export interface Listener<Data> {
  port: number;
  /** From now on requests go to this handler, and sockets to these. */
  handle(handler: Handler<Data>, sockets?: SocketEvents<Data>): void;
  /** Stops taking requests and resolves when those under way are answered, or cut off after so many milliseconds. */
  stop(grace: number): Promise<void>;
}

/** Listens on the same port of all addresses. Requests wait until there is a handler. */
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
      // Connections are gone at once, but a request that waits for a database would be waited for all the same.
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
  // The rest of a body that comes too slowly is not waited for.
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
      // Any free port was wanted, and the one found on the first address is taken on another.
      if (port !== 0 || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

/** All addresses, or none. */
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
      // Unless told, Bun outside development shares the port with any other process that wants it.
      reusePort: false,
      maxRequestBodySize: BODY_LIMIT,
      idleTimeout: IDLE_SECONDS,
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // Without IPv6, loopback is 127.0.0.1 alone.
    if (isOptional && hostname === "::1" && code !== "EADDRINUSE") return undefined;
    throw error;
  }
}
