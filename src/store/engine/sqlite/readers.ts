import { availableParallelism } from "node:os";
import { createFairPool } from "../../../threads/fair-pool.ts";
import type { Threads } from "../../../threads/threads.ts";
import { type Lane, PATIENCE, type ReadTimes, tookTooLong, userOf } from "../pace.ts";
import type { ReaderCalls } from "./serve-reads.ts";

const MOST_READERS = 8;
/** Milliseconds after which idle threads stop to free memory, except the first one. */
const IDLE_TIME = 30_000;

interface ReaderOptions {
  threads: Threads;
  script: URL;
  /** The path of the database. */
  opening: string;
  /** Milliseconds after which a thread that doesn't answer is replaced. */
  deadline: number;
  times: ReadTimes;
}

/**
 * Creates the threads that run long reads. A read that isn't done soon starts again in a thread of the slow lane, so that
 * the slowest reads wait for each other only.
 */
export function createReaders({ threads, times, ...options }: ReaderOptions) {
  const cores = Math.min(MOST_READERS, availableParallelism());
  const create = (name: string, count: number) =>
    Array.from({ length: count }, (_, position) =>
      threads.create<ReaderCalls>({ ...options, name: `${name} ${position + 1}` }),
    );
  const shared = { patience: PATIENCE, idleTime: IDLE_TIME, depth: 1 };
  const quickThreads = create("database reader", Math.max(2, cores));
  const slowThreads = create("slow database reader", Math.max(1, Math.floor(cores / 2)));
  const quick = createFairPool<ReaderCalls>({
    ...shared,
    threads: quickThreads,
    share: quickThreads.length,
    isWorthKeeping: () => true,
  });
  const slow = createFairPool<ReaderCalls>({
    ...shared,
    threads: slowThreads,
    share: Math.max(1, slowThreads.length - 1),
    isWorthKeeping: () => false,
  });

  /** Runs a long read. Rejects as `Unavailable` if it takes too long. */
  async function read(name: string, input: unknown, lane: Lane): Promise<unknown> {
    const user = userOf(input);
    if (lane === "quick") {
      const answer = await quick.run(user, (thread) => thread.call("read", { name, input, time: times.quick }));
      if (answer.isDone) return answer.output;
    }
    const answer = await slow.run(user, (thread) => thread.call("read", { name, input, time: times.slow }));
    if (!answer.isDone) throw tookTooLong();
    return answer.output;
  }

  return { read, close: () => Promise.all([quick.close(), slow.close()]) };
}
