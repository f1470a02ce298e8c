import { createConnection, createServer, type Socket } from "node:net";

/** A line to a server that can be disturbed, as networks are. */
export interface Line extends AsyncDisposable {
  port: number;
  /** Nothing goes through any more in either direction, and nobody is told; what was sent meanwhile comes with `resume`. */
  stall(): void;
  /** The same as soon as somebody says this, which does not go through either. */
  stallBefore(text: string): void;
  resume(): void;
  /** Ends all connections there are, and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
}

/** A TCP proxy before a server on this machine, at one of its addresses. */
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
  if (bound === null || typeof bound === "string") throw new Error("The line has no port.");

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
    mend() {
      isCut = false;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        endAll();
      }),
  };
}
