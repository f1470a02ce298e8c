import type { Server } from "bun";

export type Handler = (request: Request, server: Server<undefined>) => Response | Promise<Response>;

/** Sent when a handler throws in spite of everything; it tells nothing. */
const lastResort = () => Response.json({ error: "Something went wrong on the server." }, { status: 500 });

/** Bodies are bounded where they are read, with an answer that says so; the server must not be quicker. */
const BODY_LIMIT = 1024 ** 4;
const IDLE_SECONDS = 60;
const PORT_ATTEMPTS = 20;
/** Milliseconds that requests under way have to end when the server stops; supervisors kill after 10 s. */
const STOP_GRACE = 8_000;

export interface Listener {
  port: number;
  /** From now on requests go to this handler. */
  handle(handler: Handler): void;
  /** Stops taking requests and resolves when those under way are answered, or have been given up. */
  stop(): Promise<void>;
}

/** Listens on the same port of all addresses. Requests wait until there is a handler. */
export function listen(addresses: readonly string[], port: number): Listener {
  const ready = Promise.withResolvers<Handler>();
  const waitForHandler: Handler = async (request, server) => (await ready.promise)(request, server);
  const servers = bindAll(addresses, port, waitForHandler);
  return {
    port: servers[0]?.port ?? port,
    handle(handler) {
      for (const server of servers) server.reload({ fetch: handler, error: lastResort });
      ready.resolve(handler);
    },
    async stop() {
      const answered = Promise.all(servers.map((server) => server.stop()));
      await Promise.race([answered, Bun.sleep(STOP_GRACE)]);
      await Promise.all(servers.map((server) => server.stop(true)));
    },
  };
}

function bindAll(addresses: readonly string[], port: number, handler: Handler): Server<undefined>[] {
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
function bindOnce(addresses: readonly string[], port: number, handler: Handler): Server<undefined>[] {
  const servers: Server<undefined>[] = [];
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

function bind(hostname: string, port: number, fetch: Handler, isOptional: boolean): Server<undefined> | undefined {
  try {
    return Bun.serve({
      hostname,
      port,
      fetch,
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
