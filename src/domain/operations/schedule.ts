import { newId } from "../model/codes.ts";
import type { Part, PartState } from "../model/health.ts";
import type { Random } from "../model/ports.ts";
import { type LeaseTimes, startLease } from "./lease.ts";
import type { TaskEnd, TaskState, TaskStore } from "./ports.ts";

/** Periodic work that runs on one replica at a time. */
export interface Task {
  /** The key of the task in the database, which operators see too. */
  name: string;
  /** Milliseconds between the starts of two successful runs. */
  every: number;
  /**
   * Does the work. Resolves to one sentence about it, or undefined if there is nothing to tell. Should throw soon after
   * the signal is aborted, because another replica may run the task from then on.
   */
  run(signal: AbortSignal): Promise<string | undefined>;
}

interface TaskEvent {
  message: string;
  error?: unknown;
  fields: { task: string };
}

interface Dependencies {
  store: { operations: TaskStore };
  wait(milliseconds: number): Promise<void>;
  random: Random;
  log: Record<"error" | "warn" | "info", (event: TaskEvent) => void>;
  /** The name of this replica, for operators. */
  replica: string;
  tasks: readonly Task[];
  times?: Partial<Times>;
}

/** In milliseconds. */
interface Times extends LeaseTimes {
  /** From the start of the server to the first check, to leave it to its first requests. */
  delay: number;
  /** Between checks for due tasks. */
  check: number;
  /** After a failure, for each failure in a row, up to the interval of the task. */
  retryAfter: number;
}

const TIMES: Times = { delay: 60_000, check: 60_000, lease: 60_000, renew: 15_000, retryAfter: 5 * 60_000 };

/**
 * Creates the schedule of background tasks. The database records when each task last ran, so that restarts neither skip
 * nor repeat a run, and leases there make sure that only one replica runs it.
 */
export function createSchedule({ store, wait, random, log, replica, tasks, times = {} }: Dependencies) {
  const { delay, check, retryAfter, ...leaseTimes } = { ...TIMES, ...times };
  const { operations } = store;
  const stopped = Promise.withResolvers<void>();
  const running = new Map<string, { stop(): void; ended: Promise<void> }>();
  let isStopping = false;
  let checking = Promise.resolve();

  /** Resolves after the time, or at once when the schedule stops. */
  const pause = (milliseconds: number) => Promise.race([wait(milliseconds), stopped.promise]);

  /** Runs tasks whenever they are due, until `stop` is called. */
  function start(): void {
    checking = keepChecking();
  }

  async function keepChecking(): Promise<void> {
    await pause(delay);
    while (!isStopping) {
      for (const task of tasks) await begin(task);
      await pause(check);
    }
  }

  /** Starts a run of a task if it is due. Does not wait for the end of the run. */
  async function begin(task: Task): Promise<void> {
    if (isStopping || running.has(task.name)) return;
    const holder = `${replica} ${newId(random, "run")}`;
    const claim = () =>
      operations.claimTask({ name: task.name, holder, lease: leaseTimes.lease, every: task.every, retryAfter });
    const renew = () => operations.renewTask({ name: task.name, holder, lease: leaseTimes.lease });
    try {
      const lease = await startLease({ claim, renew, wait, times: leaseTimes });
      if (lease === undefined) return;
      const ended = perform(task, holder, lease).finally(() => {
        lease.end();
        running.delete(task.name);
      });
      running.set(task.name, { stop: lease.cancel, ended });
      if (isStopping) lease.cancel();
    } catch (error) {
      log.warn({ message: "A background task couldn't be started.", error, fields: { task: task.name } });
    }
  }

  type Lease = NonNullable<Awaited<ReturnType<typeof startLease>>>;

  async function perform(task: Task, holder: string, lease: Lease): Promise<void> {
    const outcome = await task.run(lease.signal).then(
      (detail): TaskEnd["outcome"] => ({ kind: "succeeded", detail }),
      (error: unknown): TaskEnd["outcome"] => {
        if (lease.signal.aborted) return { kind: "stopped" };
        log.error({ message: "A background task failed.", error, fields: { task: task.name } });
        return { kind: "failed", reason: reasonOf(error) };
      },
    );
    if (await record({ name: task.name, holder, outcome }, lease)) {
      if (outcome.kind === "succeeded" && outcome.detail !== undefined) {
        log.info({ message: outcome.detail, fields: { task: task.name } });
      }
      return;
    }
    log.warn({
      message: "A background task lost its lease, because it couldn't renew it in time. Another replica may run it.",
      fields: { task: task.name },
    });
  }

  /** Records the end of a run. Returns false if the lease is lost. */
  async function record(end: TaskEnd, lease: Lease): Promise<boolean> {
    while (!lease.isLost()) {
      try {
        return await operations.endTask(end);
      } catch (error) {
        log.warn({ message: "The end of a background task couldn't be recorded.", error, fields: { task: end.name } });
        // The lease expires.
        if (isStopping) return true;
        await pause(leaseTimes.renew);
      }
    }
    return false;
  }

  /** Stops all runs. Resolves when they have ended and others can run the tasks. */
  async function stop(): Promise<void> {
    isStopping = true;
    stopped.resolve();
    for (const run of running.values()) run.stop();
    await checking;
    await Promise.all([...running.values()].map(({ ended }) => ended));
  }

  /** Returns the parts of readiness that report the tasks, which share one look at the database. */
  function parts(): Part[] {
    let states: Promise<TaskState[]> | undefined;
    return tasks.map(({ name }) => ({
      name: `${name} task`,
      async check() {
        states ??= operations.listTasks().finally(() => {
          states = undefined;
        });
        return describe((await states).find((state) => state.name === name));
      },
    }));
  }

  return { start, stop, parts };
}

function describe(state: TaskState | undefined): PartState {
  if (state === undefined) return { state: "ok", detail: "It hasn't run yet." };
  const { failures, failure = "", lastFailureAt, lastSuccessAt, runningSince } = state;
  const sentences = [
    runningSince !== undefined && `It has been running since ${asTime(runningSince)}.`,
    failures > 0 &&
      `It failed ${failures === 1 ? "once" : `${failures} times`}, last at ${asTime(lastFailureAt)}: ${failure}`,
    lastSuccessAt === undefined ? "It hasn't succeeded yet." : `It last succeeded at ${asTime(lastSuccessAt)}.`,
  ];
  return {
    state: failures > 0 ? "degraded" : "ok",
    detail: sentences.filter((sentence) => sentence !== false).join(" "),
  };
}

const asTime = (instant: number | undefined) => (instant === undefined ? "" : new Date(instant).toISOString());

/** Returns an error's message, as a sentence. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
