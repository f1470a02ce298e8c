import { createConnection } from "node:net";

export interface Answer {
  status: number;
  body: Uint8Array;
}

interface RequestParts {
  method: "GET" | "POST" | "PUT";
  path: string;
  token?: string;
  body?: Uint8Array | string;
  headers?: Readonly<Record<string, string>>;
}

/** Returns an HTTP/1.1 request as bytes. */
export function encodeRequest({ method, path, token, body = "", headers = {} }: RequestParts): Uint8Array {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(method === "GET" ? [] : ["Content-Type: application/json", `Content-Length: ${bytes.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), bytes]);
}

/** Opens a keep-alive connection with minimal overhead, so that only the server is measured. */
export async function openConnection(url: string) {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port), noDelay: true });
  let received: Buffer = Buffer.alloc(0);
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;

  socket.on("data", (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = decodeAnswer(received);
    if (answer === undefined) return;
    received = Buffer.alloc(0);
    waiting?.resolve(answer);
  });
  socket.on("error", (error) => waiting?.reject(error));
  let isClosed = false;
  socket.on("close", () => {
    isClosed = true;
    waiting?.reject(new Error("The server closed the connection."));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });

  /** Sends one request at a time. */
  function send(request: Uint8Array): Promise<Answer> {
    return new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      if (isClosed) reject(new Error("The server had closed the connection."));
      else socket.write(request);
    });
  }

  return { send, close: () => socket.destroy() };
}

export type Connection = Awaited<ReturnType<typeof openConnection>>;

/** Returns the answer once it is complete. Leaves a chunked body encoded, because it is not read. */
function decodeAnswer(received: Buffer): Answer | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = received.toString("latin1", 0, end);
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  const body = received.subarray(end + 4);
  const isWhole = length === undefined ? endsWithLastChunk(body) : body.length >= Number(length);
  return isWhole ? { status: Number(head.slice(9, 12)), body } : undefined;
}

const LAST_CHUNK = "0\r\n\r\n";
/** The end of a chunked body; JSON contains no such line. */
const endsWithLastChunk = (body: Buffer) =>
  body.toString("latin1", Math.max(0, body.length - LAST_CHUNK.length)) === LAST_CHUNK;

/** Returns the milliseconds of each sequential request. Throws unless all return 200. */
export async function timeRequests(connection: Connection, requests: Iterable<Uint8Array>): Promise<number[]> {
  const times: number[] = [];
  for (const request of requests) {
    const begin = performance.now();
    const { status, body } = await connection.send(request);
    times.push(performance.now() - begin);
    if (status !== 200) throw new Error(`Answered ${status}: ${Buffer.from(body)}`);
  }
  return times;
}
