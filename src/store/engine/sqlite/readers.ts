import { availableParallelism } from "node:os";
import { createFairPool } from "../../../threads/fair-pool.ts";
import type { Threads } from "../../../threads/threads.ts";
import { createLanes } from "../lanes.ts";
import { type Lane, PATIENCE, type PaceLimits, type ReadTimes, TOLERANCE, turnOf } from "../pace.ts";
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

/** Creates the threads that run long reads. */
export function createReaders({ threads, times, ...options }: ReaderOptions) {
  const cores = Math.min(MOST_READERS, availableParallelism());
  const create = (name: string, count: number) =>
    Array.from({ length: count }, (_, position) =>
      threads.create<ReaderCalls>({ ...options, name: `${name} ${position + 1}` }),
    );
  const shared = { patience: PATIENCE, idleTime: IDLE_TIME, depth: 1 };
  const quickThreads = create("database reader", Math.max(2, cores));
  const slowThreads = create("slow database reader", Math.max(1, Math.floor(cores / 2)));
  const pools = {
    quick: createFairPool<ReaderCalls>({
      ...shared,
      threads: quickThreads,
      share: quickThreads.length,
      isWorthKeeping: () => true,
    }),
    slow: createFairPool<ReaderCalls>({
      ...shared,
      threads: slowThreads,
      share: Math.max(1, slowThreads.length - 1),
      isWorthKeeping: () => false,
    }),
  };

  const limits: Record<Lane, PaceLimits> = {
    quick: { work: times.quick, time: times.quick * TOLERANCE },
    slow: { time: times.slow },
  };
  function attempt(lane: Lane, name: string, input: unknown) {
    const { user, member } = turnOf(input);
    return pools[lane].run(user, (thread) => thread.call("read", { name, input, limits: limits[lane] }), member);
  }

  return {
    read: createLanes({ attempt, quick: times.quick }),
    close: () => Promise.all([pools.quick.close(), pools.slow.close()]),
  };
}
