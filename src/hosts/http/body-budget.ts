import { type BodyLease, createBodyPool, type PoolSizes } from "./body-pool.ts";

/** Of each body the first so many bytes come from a pool of their own, so that large bodies never hold up small ones. */
const HEAD_BYTES = 256 * 1024;
/** So much of that pool, and one body's head more, may belong to one sender: at least 50 senders find room at once. */
const HEAD_SHARE = 2 * HEAD_BYTES;
const HEADS_BYTES = 40 * 1024 * 1024;

/** Bounds the memory that request bodies take together, and of that the part of each sender; heads come on top. */
export function createBodyBudget({ total, share }: PoolSizes) {
  const heads = createBodyPool({ total: HEADS_BYTES, share: HEAD_SHARE });
  const rests = createBodyPool({ total, share });

  /** The sender is a credential: what one of them leaves half sent must not hold up the others. */
  function open(sender: string): BodyLease {
    const head = heads.open(sender);
    const rest = rests.open(sender);
    let taken = 0;
    return {
      async take(bytes) {
        const ofHead = Math.min(bytes, Math.max(0, HEAD_BYTES - taken));
        taken += bytes;
        if (ofHead > 0) await head.take(ofHead);
        if (bytes > ofHead) await rest.take(bytes - ofHead);
      },
      release() {
        head.release();
        rest.release();
      },
    };
  }

  return { open };
}
