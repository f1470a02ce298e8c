/** What a server says on a WebSocket (RFC 6455 §5.2), as far as the benches have to understand it. */
export interface FrameListener {
  text(payload: Buffer): void;
  /** Gets what has to be answered with the same payload. */
  ping(payload: Buffer): void;
}

const TEXT = 0x81;
const PING = 0x89;
const PONG = 0x8a;
/** Payloads up to this length say so in the header's second byte. */
const SHORT = 125;
const LENGTH_IN_TWO_BYTES = 126;

/** Reads the whole frames of what was received, and returns the beginning of one that is not yet whole. */
export function readFrames(received: Buffer, listener: FrameListener): Buffer | undefined {
  let position = 0;
  while (received.length - position >= 2) {
    const header = received[position];
    const short = received[position + 1] ?? 0;
    if (short > LENGTH_IN_TWO_BYTES) throw new Error("A frame is masked, or longer than the server's are.");
    const start = position + (short === LENGTH_IN_TWO_BYTES ? 4 : 2);
    if (received.length < start) break;
    const end = start + (short === LENGTH_IN_TWO_BYTES ? received.readUInt16BE(position + 2) : short);
    if (received.length < end) break;
    if (header === TEXT) listener.text(received.subarray(start, end));
    else if (header === PING) listener.ping(received.subarray(start, end));
    position = end;
  }
  return position === received.length ? undefined : received.subarray(position);
}

/** The answer to a ping, masked with zeros. */
export function encodePong(payload: Buffer): Buffer {
  if (payload.length > SHORT) throw new Error("A ping has 125 bytes at most.");
  return Buffer.concat([Buffer.from([PONG, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}
