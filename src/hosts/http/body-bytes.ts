import { nextTurn } from "./next-turn.ts";

/** Pieces of at least this size are kept without copying. */
const LARGE_PIECE = 16 * 1024;
const BLOCK_BYTES = 64 * 1024;
/** Bytes that are joined in one turn of the event loop: a megabyte takes about two milliseconds. */
const TURN_BYTES = 1024 * 1024;

/**
 * Collects bytes that arrive in pieces. Small pieces are copied into blocks, because a body sent byte by byte would
 * otherwise take a hundred times its size.
 */
export function createByteCollector() {
  const pieces: Uint8Array[] = [];
  let block = new Uint8Array();
  let used = 0;
  let length = 0;

  function seal(): void {
    if (used > 0) pieces.push(block.subarray(0, used));
    block = block.subarray(used);
    used = 0;
  }

  function copy(piece: Uint8Array): void {
    if (used + piece.length > block.length) {
      seal();
      block = new Uint8Array(BLOCK_BYTES);
    }
    block.set(piece, used);
    used += piece.length;
  }

  return {
    add(piece: Uint8Array): void {
      length += piece.length;
      if (piece.length < LARGE_PIECE) {
        copy(piece);
        return;
      }
      seal();
      pieces.push(piece);
    },
    /** Returns all bytes as one array. */
    async bytes(): Promise<Uint8Array> {
      seal();
      const [only] = pieces;
      if (only?.length === length && only.buffer.byteLength === length) return only;
      return join(pieces, length);
    },
  };
}

/** Joins pieces without holding the event loop. */
async function join(pieces: readonly Uint8Array[], length: number): Promise<Uint8Array> {
  // Every byte is written below, and clearing them first would hold the event loop too.
  const whole = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
  let offset = 0;
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; ) {
      const end = Math.min(piece.length, start + TURN_BYTES - (offset % TURN_BYTES));
      whole.set(piece.subarray(start, end), offset);
      offset += end - start;
      start = end;
      if (offset % TURN_BYTES === 0) await nextTurn();
    }
  }
  return whole;
}
