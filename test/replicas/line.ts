import { createConnection, createServer, type Socket } from "node:net";

/** A connection to a server that tests can disturb. */
export interface Line extends AsyncDisposable {
  port: number;
  /** Silently holds everything back, in both directions, until `resume`. */
  stall(): void;
  /** Stalls as soon as this text is sent, which is held back as well. */
  stallBefore(text: string): void;
  resume(): void;
  /** Ends all connections and refuses new ones until `restore`. */
  cut(): void;
  restore(): void;
}

/** Starts a TCP proxy for a server on this machine. */
export async function startLine(target: number, address = "127.0.0.1"): Promise<Line> {
  const sockets = new Set<Socket>();
  let isStalled = false;
  let isCut = false;
  let lastWords: string | undefined;

  function stall(): void {
    isStalled = true;
    for (const socket of sockets) socket.pause();
  }

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    if (isStalled) socket.pause();
  }

  function join(from: Socket, to: Socket): void {
    from.on("data", (chunk) => {
      if (lastWords !== undefined && chunk.includes(lastWords)) stall();
      else to.write(chunk);
    });
    from.on("close", () => to.destroy());
  }

  const proxy = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const server = createConnection({ host: "127.0.0.1", port: target });
    join(client, server);
    join(server, client);
    keep(client);
    keep(server);
  });
  await new Promise<void>((resolve) => proxy.listen(0, address, resolve));
  const bound = proxy.address();
  if (bound === null || typeof bound === "string") throw new Error("The proxy has no port.");

  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: bound.port,
    stall,
    stallBefore(text) {
      lastWords = text;
    },
    resume() {
      isStalled = false;
      lastWords = undefined;
      for (const socket of sockets) socket.resume();
    },
    cut() {
      isCut = true;
      endAll();
    },
    restore() {
      isCut = false;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        endAll();
      }),
  };
}
