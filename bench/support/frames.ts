/** Handles the WebSocket frames (RFC 6455 §5.2) that the servers send. */
export interface FrameListener {
  text(payload: Buffer): void;
  /** Called with the payload of a ping, which the answer repeats. */
  ping(payload: Buffer): void;
}

interface Frame {
  header: number;
  payload: Buffer;
  end: number;
}

const TEXT = 0x81;
const PING = 0x89;
const PONG = 0x8a;
const LENGTH_IN_TWO_BYTES = 126;

/** Reads complete frames and returns the beginning of an incomplete one. */
export function readFrames(received: Buffer, listener: FrameListener): Buffer | undefined {
  let position = 0;
  for (let frame = frameAt(received, 0); frame !== undefined; frame = frameAt(received, position)) {
    if (frame.header === TEXT) listener.text(frame.payload);
    else if (frame.header === PING) listener.ping(frame.payload);
    position = frame.end;
  }
  return position === received.length ? undefined : received.subarray(position);
}

/** Returns the next frame, or undefined while it is incomplete. */
function frameAt(received: Buffer, position: number): Frame | undefined {
  const [header, shortLength] = received.subarray(position, position + 2);
  if (header === undefined || shortLength === undefined) return undefined;
  if (shortLength > LENGTH_IN_TWO_BYTES) throw new Error("A frame is masked or too long.");
  const isShort = shortLength < LENGTH_IN_TWO_BYTES;
  const start = position + (isShort ? 2 : 4);
  if (received.length < start) return undefined;
  const end = start + (isShort ? shortLength : received.readUInt16BE(position + 2));
  return received.length < end ? undefined : { header, payload: received.subarray(start, end), end };
}

/** Returns the answer to a ping, masked with zeros. */
export const encodePong = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from([PONG, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
