import type { Part, PartState } from "../domain/model/health.ts";
import type { Handlers } from "./serve-calls.ts";
import { type Supervisor, superviseThread, type Thread, type ThreadOptions } from "./thread.ts";

/** A thread that dies this often within the time has a cause that starting it again doesn't cure. */
const DEATHS = 5;
const DEATHS_TIME = 60_000;
/** Milliseconds before the second start after a death; each later one waits twice as long. The first one doesn't wait. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

interface Ports {
  clock: { now(): number };
  /** Writes to the log. */
  report(message: string, error: unknown): void;
  /** Ends the process: a thread has died too often. */
  giveUp(message: string): void;
}

/** Without ports, as in a command of the command line, deaths show in failed calls alone. */
const ALONE: Ports = { clock: { now: () => performance.now() }, report: () => undefined, giveUp: () => undefined };

/** Starts worker threads, starts them again when they die, and knows how they are. */
export function createThreads({ clock, report, giveUp }: Ports = ALONE) {
  /** What is wrong with each thread. */
  const problems = new Map<string, string | undefined>();

  /** Returns a thread, which starts when it gets its first call or is opened. */
  function create<Calls extends Handlers>(options: ThreadOptions): Thread<Calls> {
    const { name } = options;
    if (problems.has(name)) throw new Error(`There is a thread named "${name}" already.`);
    problems.set(name, undefined);
    return superviseThread<Calls>(options, supervise(name));
  }

  function supervise(name: string): Supervisor {
    let deaths: number[] = [];
    return {
      died(error) {
        const now = clock.now();
        deaths = [...deaths.filter((at) => now - at < DEATHS_TIME), now];
        report(
          `A worker thread stopped and is restarted (${deaths.length} of at most ${DEATHS} times a minute).`,
          error,
        );
        if (deaths.length >= DEATHS) giveUp(`The ${name} stopped ${deaths.length} times within a minute.`);
        return deaths.length === 1 ? 0 : Math.min(FIRST_PAUSE * 2 ** (deaths.length - 2), LONGEST_PAUSE);
      },
      changed: (problem) => problems.set(name, problem),
      closed: () => problems.delete(name),
    };
  }

  const stateOf = (problem: string | undefined): PartState =>
    problem === undefined ? { state: "ok" } : { state: "failed", detail: problem };

  /** Returns the threads as parts of the server's readiness. */
  function parts(): Part[] {
    return [...problems].map(([name, problem]) => ({ name, check: () => stateOf(problem) }));
  }

  return { create, parts };
}

export type Threads = ReturnType<typeof createThreads>;
