import { type BodyLease, createBodyPool, type PoolSizes } from "./body-pool.ts";

/** The first bytes of each body use a separate pool, so that large bodies never hold up small ones. */
const HEAD_BYTES = 256 * 1024;
/** One sender's share of that pool, plus one body: at least 50 senders find room at once. */
const HEAD_SHARE = 2 * HEAD_BYTES;
const HEADS_BYTES = 40 * 1024 * 1024;

/** Limits the memory for request bodies, in total and per sender. The pool for the first bytes comes on top. */
export function createBodyBudget({ total, share }: PoolSizes) {
  const heads = createBodyPool({ total: HEADS_BYTES, share: HEAD_SHARE });
  const rests = createBodyPool({ total, share });

  /** Opens a lease. The sender is a credential, so that one client's unfinished bodies do not hold up other clients. */
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
