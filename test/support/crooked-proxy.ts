import { createConnection, createServer, type Socket } from "node:net";

/** A fault that one request meets. */
export type Fault =
  /** The proxy answers. */
  | { answer: number }
  /** The connection ends after this many bytes of the request. */
  | { cutRequestAfter: number }
  /** The connection ends after this many bytes of the answer. With 0, the store acts, but the answer is lost. */
  | { cutAnswerAfter: number }
  /** The request is never passed on. */
  | "silence"
  /** The request is passed on this many milliseconds late. */
  | { delay: number };

export interface CrookedProxy extends AsyncDisposable {
  endpoint: string;
  /** Sets one fault for each of the next requests, in order. Later requests pass. */
  spoil(...faults: readonly Fault[]): void;
  /** Sets one fault for all requests from now on, or none. */
  spoilAll(fault: Fault | undefined): void;
  /** Returns the number of requests so far. */
  requests(): number;
  /** Returns the number of bytes of answers so far. */
  answered(): number;
}

const REQUEST_START = /^(GET|PUT|POST|DELETE) /;

/** Starts a TCP proxy that does to requests what networks and busy servers do. */
export async function startCrookedProxy(target: string): Promise<CrookedProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const faults: Fault[] = [];
  let standing: Fault | undefined;
  let requests = 0;
  let answered = 0;

  function connect(client: Socket): void {
    const server = createConnection({ host: hostname, port: Number(port) });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    let fault: Fault | undefined;
    let left = Number.POSITIVE_INFINITY;

    client.on("data", (chunk: Buffer) => {
      if (REQUEST_START.test(chunk.toString("latin1", 0, 8))) {
        requests++;
        fault = faults.shift() ?? standing;
        left = budgetOf(fault);
      }
      forward(chunk);
    });
    server.on("data", (chunk: Buffer) => {
      const part = isOfAnswer(fault) ? chunk.subarray(0, left) : chunk;
      answered += part.length;
      left -= part.length;
      client.write(part);
      if (isOfAnswer(fault) && left <= 0) client.end();
    });

    function forward(chunk: Buffer): void {
      if (fault === "silence") return;
      if (fault === undefined || isOfAnswer(fault)) server.write(chunk);
      else if ("answer" in fault) client.end(`HTTP/1.1 ${fault.answer} Crooked\r\nContent-Length: 0\r\n\r\n`);
      else if ("delay" in fault) setTimeout(() => server.write(chunk), fault.delay);
      else cutRequest(chunk);
    }

    function cutRequest(chunk: Buffer): void {
      const part = chunk.subarray(0, left);
      left -= part.length;
      server.write(part, () => {
        if (left <= 0) client.destroy();
      });
    }
  }

  const proxy = createServer(connect);
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  const ownPort = typeof address === "object" ? address?.port : undefined;
  return {
    endpoint: `http://127.0.0.1:${ownPort}`,
    spoil(...wanted) {
      faults.splice(0, faults.length, ...wanted);
    },
    spoilAll(fault) {
      standing = fault;
    },
    requests: () => requests,
    answered: () => answered,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const isOfAnswer = (fault: Fault | undefined) => typeof fault === "object" && "cutAnswerAfter" in fault;

function budgetOf(fault: Fault | undefined): number {
  if (typeof fault !== "object") return Number.POSITIVE_INFINITY;
  if ("cutRequestAfter" in fault) return fault.cutRequestAfter;
  return "cutAnswerAfter" in fault ? fault.cutAnswerAfter : Number.POSITIVE_INFINITY;
}
