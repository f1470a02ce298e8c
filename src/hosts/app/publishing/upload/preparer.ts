import type { PreparedUpload } from "../../../../domain/publishing/publish.ts";
import { createFairPool } from "../../../../threads/fair-pool.ts";
import { transferable } from "../../../../threads/thread.ts";
import type { Threads } from "../../../../threads/threads.ts";
import { nextTurn } from "../../../http/next-turn.ts";
import { findingsOf, mayHaveScript, readUpload, type UploadBody } from "./prepare.ts";
import type { PrepareCalls } from "./prepare-worker.ts";

/** Bodies up to this size are always decoded inline, and their documents too if they have no scripts. */
const INLINE_BYTES = 8 * 1024;
/**
 * Bodies up to this size are decoded inline while the threads are idle, which saves a round trip to one. Their documents
 * are read in a thread all the same, while the object is being written.
 */
const IDLE_INLINE_BYTES = 64 * 1024;
/** The maximum number of bytes to decode in one turn of the event loop, across parallel uploads. */
const TURN_BYTES = 512 * 1024;
/** With two threads, a user with expensive documents leaves one to all others. */
const THREADS = 2;
/** The maximum time to read an upload, in milliseconds. */
const DEADLINE = 30_000;
/** The maximum time that an upload waits for a thread, in milliseconds. */
const PATIENCE = 20_000;
/** How long a thread can be idle before it is stopped to free memory, in milliseconds. */
const IDLE_TIME = 5_000;
/** A thread that read less than this is kept: it holds little memory, and the next upload would wait for a new one. */
const KEPT_BYTES = 1024 * 1024;

/** Creates the reader of uploads. It reads small ones without scripts inline, and the documents of others in threads. */
export function createUploadPreparer(threads: Threads) {
  let decodedInTurn = 0;
  let readInThreads = 0;
  const pool = createFairPool<PrepareCalls>({
    threads: Array.from({ length: THREADS }, (_, position) =>
      threads.create<PrepareCalls>({
        name: `upload reader ${position + 1}`,
        script: new URL("./prepare-worker.ts", import.meta.url),
        deadline: DEADLINE,
      }),
    ),
    patience: PATIENCE,
    idleTime: IDLE_TIME,
    isWorthKeeping: () => readInThreads < KEPT_BYTES,
    replaced: () => {
      readInThreads = 0;
    },
  });

  /** Reads a user's upload. Throws `Invalid`, `TooLarge` or `Unavailable`. */
  async function prepare(body: UploadBody, user: string): Promise<PreparedUpload> {
    const size = body.bytes.length;
    if (size > (pool.isIdle() ? IDLE_INLINE_BYTES : INLINE_BYTES)) return prepareInThread(body, user);
    await roomInTurn(size);
    const { details, package: filePackage, texts } = readUpload(body);
    const isQuick = size <= INLINE_BYTES && !mayHaveScript(texts);
    const findings = isQuick
      ? () => findingsOf(texts)
      : () => pool.run(user, (thread) => thread.call("analyse", texts));
    return { details, package: filePackage, findings };
  }

  async function roomInTurn(bytes: number): Promise<void> {
    while (decodedInTurn >= TURN_BYTES) await nextTurn();
    if (decodedInTurn === 0)
      nextTurn().then(() => {
        decodedInTurn = 0;
      });
    decodedInTurn += bytes;
  }

  async function prepareInThread(body: UploadBody, user: string): Promise<PreparedUpload> {
    readInThreads += body.bytes.length;
    const prepared = await pool.run(user, (thread) => thread.call("prepare", body, transferable(body.bytes)));
    return { ...prepared, findings: () => prepared.findings };
  }

  return { prepare, waiting: pool.waiting, stop: pool.stop };
}

export type UploadPreparer = ReturnType<typeof createUploadPreparer>;
