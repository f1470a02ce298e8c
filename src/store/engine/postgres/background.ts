import { createFairPool } from "../../../threads/fair-pool.ts";
import type { Threads } from "../../../threads/threads.ts";
import type { WriteRequest } from "../calls.ts";
import type { BackgroundCalls, BackgroundDatabase, BackgroundRead } from "./serve-background.ts";

/** Milliseconds after which the idle thread stops to free memory. */
const IDLE_TIME = 30_000;
/** Milliseconds that a call may take at least. It has several statements, each of which may wait for a lock. */
const SHORTEST_DEADLINE = 60_000;
const STATEMENTS = 4;

interface BackgroundOptions {
  threads: Threads;
  script: URL;
  database: BackgroundDatabase;
}

/**
 * Creates what runs calls of background tasks in a thread, one at a time. They go on for minutes, and the event loop would
 * have to collect the garbage that they leave.
 */
export function createBackground({ threads, script, database }: BackgroundOptions) {
  const deadline = Math.max(SHORTEST_DEADLINE, STATEMENTS * database.timeouts.query);
  const thread = threads.create<BackgroundCalls>({
    name: "background database thread",
    script,
    opening: database,
    deadline,
  });
  const pool = createFairPool<BackgroundCalls>({
    threads: [thread],
    depth: 1,
    patience: deadline,
    idleTime: IDLE_TIME,
    isWorthKeeping: () => false,
  });
  return {
    read: (request: BackgroundRead) => pool.run("tasks", ({ call }) => call("read", request)),
    write: (request: WriteRequest) => pool.run("tasks", ({ call }) => call("write", request)),
    close: pool.close,
  };
}
