import type { Part, PartState } from "../domain/model/health.ts";
import { type Log, silentLog } from "../observability/log.ts";
import type { Handlers } from "./serve-calls.ts";
import { type Supervisor, superviseThread, type Thread, type ThreadOptions } from "./thread.ts";

/** A thread that dies this often within this time is not helped by another restart. */
const DEATHS = 5;
const DEATHS_TIME = 60_000;
/** Milliseconds before the second restart; each later one waits twice as long, and the first doesn't wait. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

interface ThreadsDependencies {
  clock: { now(): number };
  log: Pick<Log, "error">;
  /** Ends the process, because a thread has died too often. */
  giveUp(message: string): void;
}

/** For commands, where deaths show only in failed calls. */
const ALONE: ThreadsDependencies = { clock: { now: () => performance.now() }, log: silentLog, giveUp: () => undefined };

/** Starts worker threads, restarts them when they die, and reports their state. */
export function createThreads({ clock, log, giveUp }: ThreadsDependencies = ALONE) {
  /** The problem of each thread, or undefined. */
  const problems = new Map<string, string | undefined>();
  const running = new Map<string, Pick<Thread<Handlers>, "waiting">>();
  const restarts = new Map<string, number>();

  /** Returns a thread, which starts when it gets its first call or is opened. */
  function create<Calls extends Handlers>(options: ThreadOptions): Thread<Calls> {
    const { name } = options;
    if (problems.has(name)) throw new Error(`There is a thread named "${name}" already.`);
    problems.set(name, undefined);
    const thread = superviseThread<Calls>(options, supervise(name));
    running.set(name, thread);
    return thread;
  }

  function supervise(name: string): Supervisor {
    let deaths: number[] = [];
    return {
      died(error) {
        const now = clock.now();
        restarts.set(name, (restarts.get(name) ?? 0) + 1);
        deaths = [...deaths.filter((at) => now - at < DEATHS_TIME), now];
        log.error({
          message: `A worker thread stopped and is restarted (${deaths.length} of at most ${DEATHS} times a minute).`,
          error,
          fields: { thread: name },
        });
        if (deaths.length >= DEATHS) giveUp(`The ${name} stopped ${deaths.length} times within a minute.`);
        return deaths.length === 1 ? 0 : Math.min(FIRST_PAUSE * 2 ** (deaths.length - 2), LONGEST_PAUSE);
      },
      changed: (problem) => problems.set(name, problem),
      closed() {
        problems.delete(name);
        running.delete(name);
      },
    };
  }

  const stateOf = (problem: string | undefined): PartState =>
    problem === undefined ? { state: "ok" } : { state: "failed", detail: problem };

  /** Returns the threads as parts of the server's readiness. */
  function parts(): Part[] {
    return [...problems].map(([name, problem]) => ({ name, check: () => stateOf(problem) }));
  }

  /** Returns how each thread is doing: the calls that wait for it, and how often it was started again. */
  const counts = () =>
    Array.from(running, ([name, thread]) => ({ name, waiting: thread.waiting(), restarts: restarts.get(name) ?? 0 }));

  return { create, parts, counts };
}

export type Threads = ReturnType<typeof createThreads>;
