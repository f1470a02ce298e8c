import { dlopen, ptr } from "bun:ffi";

const AF_INET = 2;
const SOCK_STREAM = 1;
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const IPPROTO_TCP = 6;
const TCP_MAXSEG = 2;
/** Bytes: the kernel's minimum, so that it doesn't buffer megabytes before the server notices. */
const RECEIVE_BUFFER = 4096;
const SEGMENT = 536;

const openLibrary = () =>
  dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    setsockopt: { args: ["i32", "i32", "i32", "ptr", "i32"], returns: "i32" },
    connect: { args: ["i32", "ptr", "i32"], returns: "i32" },
    write: { args: ["i32", "ptr", "u64"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  });

/** Connects to a live link's socket and never reads from it. Runtimes can't do this, because they read ahead. */
export function connectSilently(link: string): Disposable {
  const { symbols: libc } = openLibrary();
  const succeed = (result: number | bigint) => {
    if (result < 0) throw new Error("Connecting a silent reader failed.");
    return Number(result);
  };
  const url = new URL(link);
  const socket = succeed(libc.socket(AF_INET, SOCK_STREAM, 0));
  const setOption = (level: number, name: number, value: number) =>
    succeed(libc.setsockopt(socket, level, name, ptr(new Int32Array([value])), 4));
  setOption(SOL_SOCKET, SO_RCVBUF, RECEIVE_BUFFER);
  setOption(IPPROTO_TCP, TCP_MAXSEG, SEGMENT);
  const address = addressOf(url);
  succeed(libc.connect(socket, ptr(address), address.length));
  const request = Buffer.from(handshake(url));
  succeed(libc.write(socket, ptr(request), request.length));
  return { [Symbol.dispose]: () => void libc.close(socket) };
}

/** Encodes a `struct sockaddr_in`. */
function addressOf({ hostname, port }: URL): Buffer {
  const address = Buffer.alloc(16);
  address.writeUInt16LE(AF_INET, 0);
  address.writeUInt16BE(Number(port), 2);
  address.set(hostname.split(".").map(Number), 4);
  return address;
}

const handshake = ({ pathname, host, origin }: URL) =>
  [
    `GET ${pathname}~socket HTTP/1.1`,
    `Host: ${host}`,
    `Origin: ${origin}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "\r\n",
  ].join("\r\n");
