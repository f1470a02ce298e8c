import type { Socket } from "bun";
import { encodePong, readFrames } from "./frames.ts";
import type { ReadersReport, ReadersRequest } from "./live-readers.ts";

/** Connections opened in parallel, fewer than a server's backlog. */
const CONNECTING = 128;

interface Reader {
  link: string;
  heard: number;
  last: Buffer | undefined;
  /** The beginning of an incomplete frame. */
  rest: Buffer | undefined;
  isUpgraded: boolean;
  upgraded(): void;
}

const newReader = (link: string): Reader => ({
  link,
  heard: 0,
  last: undefined,
  rest: undefined,
  isUpgraded: false,
  upgraded: () => undefined,
});

const now = () => performance.timeOrigin + performance.now();

/** Connects minimal readers, which leave the CPU to the server. */
function createCrowd(report: (message: ReadersReport) => void) {
  const readers: Reader[] = [];
  /** How many readers have received their first, second, … message. */
  const counts: number[] = [];

  function hear(reader: Reader, payload: Buffer): void {
    reader.last = payload;
    const message = reader.heard++;
    const count = (counts[message] ?? 0) + 1;
    counts[message] = count;
    if (count === readers.length) report({ kind: "heard", message, at: now() });
  }

  function receive(socket: Socket<Reader>, chunk: Buffer): void {
    const reader = socket.data;
    const received = reader.rest === undefined ? chunk : Buffer.concat([reader.rest, chunk]);
    const frames = reader.isUpgraded ? received : upgrade(reader, received);
    reader.rest =
      frames === undefined
        ? received
        : readFrames(frames, {
            text: (payload) => hear(reader, payload),
            ping: (payload) => void socket.write(encodePong(payload)),
          });
  }

  async function connect(reader: Reader): Promise<void> {
    const url = new URL(reader.link);
    const upgraded = Promise.withResolvers<void>();
    reader.upgraded = upgraded.resolve;
    await Bun.connect<Reader>({
      hostname: url.hostname,
      port: Number(url.port),
      data: reader,
      socket: {
        open: (socket) => void socket.write(handshake(url)),
        data: receive,
        close: () => report({ kind: "lost", link: reader.link }),
      },
    });
    await upgraded.promise;
  }

  /** Readers are counted before the first one is notified. */
  async function connectAll(links: readonly string[], each: number): Promise<void> {
    for (const link of links) for (let count = 0; count < each; count++) readers.push(newReader(link));
    const waiting = readers.values();
    async function connectInTurn(): Promise<void> {
      for (const reader of waiting) await connect(reader);
    }
    await Promise.all(Array.from({ length: CONNECTING }, connectInTurn));
  }

  const reportVersions = () =>
    report({ kind: "versions", versions: readers.map((reader) => [reader.link, versionOf(reader)]) });

  return { connectAll, reportVersions };
}

const handshake = ({ host, origin, pathname }: URL) =>
  [
    `GET ${pathname}~socket HTTP/1.1`,
    `Host: ${host}`,
    `Origin: ${origin}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
    "\r\n",
  ].join("\r\n");

/** Returns what follows the handshake, or undefined while the handshake is incomplete. */
function upgrade(reader: Reader, received: Buffer): Buffer | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = received.toString("latin1", 0, end);
  if (!head.startsWith("HTTP/1.1 101 ")) throw new Error(`A reader of ${reader.link} was refused: ${head}`);
  reader.isUpgraded = true;
  reader.upgraded();
  return received.subarray(end + 4);
}

const versionOf = ({ last }: Reader): number => (last === undefined ? 0 : JSON.parse(last.toString()).version_no);

const crowd = createCrowd((message) => process.send?.(message));
process.on("message", (request: ReadersRequest) => {
  if (request.kind === "connect") crowd.connectAll(request.links, request.each);
  else crowd.reportVersions();
});
