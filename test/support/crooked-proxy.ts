import { createConnection, createServer, type Socket } from "node:net";

/** What happens to one request on its way. */
export type Fault =
  /** Answered by the proxy itself. */
  | { answer: number }
  /** The connection ends after so many bytes of the request. */
  | { cutRequestAfter: number }
  /** The connection ends after so many bytes of the answer; 0: the request has been carried out, and nobody is told. */
  | { cutAnswerAfter: number }
  /** Never passed on. */
  | "silence"
  /** Passed on so many milliseconds late. */
  | { delay: number };

export interface CrookedProxy extends AsyncDisposable {
  endpoint: string;
  /** One fault for each of the next requests, in their order; what follows passes. */
  spoil(...faults: readonly Fault[]): void;
  /** The same fault for all requests from now on, or none. */
  spoilAll(fault: Fault | undefined): void;
  /** Requests seen so far. */
  requests(): number;
  /** Bytes of answers so far. */
  answered(): number;
}

const REQUEST_START = /^(GET|PUT|POST|DELETE) /;

/** A TCP proxy before a server, which does to requests what networks and loaded servers do. */
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
