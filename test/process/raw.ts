import { createConnection } from "node:net";

/** A connection on which a test sends every byte itself. */
export interface RawConnection extends Disposable {
  /** Resolves when the system has taken the bytes, or to false when the server accepts no more. */
  write(bytes: string | Uint8Array): Promise<boolean>;
  /** Waits until the received text matches; rejects if the connection ends first. */
  receive(pattern: RegExp): Promise<string>;
  /** Everything received so far, or since `forget`. */
  readonly received: string;
  forget(): void;
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;
}

export function connectRaw(url: string): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  const { promise: closed, resolve: setClosed } = Promise.withResolvers<void>();
  const waiting = new Set<() => void>();
  let received = "";
  let isClosed = false;
  const notify = () => {
    for (const wake of waiting) wake();
  };
  const end = () => {
    isClosed = true;
    setClosed();
    notify();
  };
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
    notify();
  });
  socket.on("end", end);
  socket.on("close", end);
  // Errors show in `write` and `receive`.
  socket.on("error", () => undefined);

  return {
    closed,
    get received() {
      return received;
    },
    forget() {
      received = "";
    },
    write: (bytes) =>
      new Promise((resolve) => {
        if (isClosed) resolve(false);
        else socket.write(bytes, (error) => resolve(error === undefined || error === null));
        closed.then(() => resolve(false));
      }),
    receive: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const match = pattern.exec(received);
          if (match === null && !isClosed) return;
          waiting.delete(check);
          if (match) resolve(match[0]);
          else reject(new Error(`The connection ended after ${JSON.stringify(received)}.`));
        };
        waiting.add(check);
        check();
      }),
    [Symbol.dispose]: () => socket.destroy(),
  };
}

/** Returns the head of an upload. Without `length`, the body is sent in chunks. */
export const uploadHead = (token: string, length: number | undefined, extra = "") =>
  `POST /api/upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${
    length === undefined ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`
  }\r\n${extra}\r\n`;
