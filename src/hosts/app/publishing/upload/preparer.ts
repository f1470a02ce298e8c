import type { PreparedUpload } from "../../../../domain/publishing/publish.ts";
import { createFairPool } from "../../../../threads/fair-pool.ts";
import { transferable } from "../../../../threads/thread.ts";
import type { Threads } from "../../../../threads/threads.ts";
import { findingsOf, mayHaveScript, readUpload, type UploadBody } from "./prepare.ts";
import type { PrepareCalls } from "./prepare-worker.ts";

/** Larger bodies are read in a thread. */
const INLINE_BYTES = 8 * 1024;
/** Bytes decoded in one turn of the event loop, so that many uploads at once do not hold it together. */
const TURN_BYTES = 512 * 1024;
/** Two, so that a user who sends the worst documents leaves one to all others. */
const THREADS = 2;
/** Milliseconds that reading one upload may take. */
const DEADLINE = 30_000;
/** Milliseconds that an upload may wait for its turn. */
const PATIENCE = 20_000;
/** Idle threads give their memory back after this many milliseconds. */
const IDLE_TIME = 5_000;
/** A thread that has read less has little to give back, and starting another one would keep the next upload waiting. */
const KEPT_BYTES = 1024 * 1024;

/** Decodes and checks uploads: small ones without scripts at once, others in threads of their own. */
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
    if (body.bytes.length > INLINE_BYTES) return prepareInThread(body, user);
    await roomInTurn(body.bytes.length);
    const { details, package: filePackage, texts } = readUpload(body);
    const findings = mayHaveScript(texts)
      ? () => pool.run(user, (thread) => thread.call("analyse", texts))
      : () => findingsOf(texts);
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

  return { prepare, stop: pool.stop };
}

export type UploadPreparer = ReturnType<typeof createUploadPreparer>;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
