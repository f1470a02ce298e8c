/** Pieces of at least this size are kept without copying. */
const LARGE_PIECE = 16 * 1024;
const BLOCK_BYTES = 64 * 1024;

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
    bytes(): Uint8Array {
      seal();
      const [only] = pieces;
      if (pieces.length === 1 && only !== undefined)
        return only.length === only.buffer.byteLength ? only : only.slice();
      const whole = new Uint8Array(length);
      let offset = 0;
      for (const piece of pieces) {
        whole.set(piece, offset);
        offset += piece.length;
      }
      return whole;
    },
  };
}
