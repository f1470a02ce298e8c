import { unavailable } from "../domain/model/failure.ts";
import type { Handlers } from "./serve-calls.ts";
import type { Thread } from "./thread.ts";

/** Tasks of one user that a thread gets at once while no other user waits, so that it need not wait for the next. */
const DEPTH = 3;

/** Handlers with one that answers at once, which shows that the thread has loaded. */
export type Warmable = Handlers & { warmUp(input: undefined): undefined };

interface Task<Calls extends Handlers> {
  run(thread: Thread<Calls>): Promise<void>;
  giveUp: ReturnType<typeof setTimeout>;
}

interface Slot<Calls extends Handlers> {
  thread: Thread<Calls>;
  /** How many tasks the thread is running. */
  load: number;
}

interface FairPoolOptions<Calls extends Warmable> {
  /** The first task starts the first thread; the others start when tasks of several users wait. */
  threads: readonly Thread<Calls>[];
  /** Milliseconds that a task may wait for its turn. */
  patience: number;
  /** Milliseconds after which idle threads stop, unless they are worth keeping. */
  idleTime: number;
  /** Returns whether to keep the first thread; otherwise a new one replaces it. */
  isWorthKeeping(): boolean;
  /** Called after the first thread was replaced. */
  replaced(): void;
}

/**
 * Runs tasks in a few threads. Users take turns, and no user has two threads at once, so a user waits for at most a few
 * tasks of others.
 */
export function createFairPool<Calls extends Warmable>(options: FairPoolOptions<Calls>) {
  const slots: Slot<Calls>[] = options.threads.map((thread) => ({ thread, load: 0 }));
  /** Waiting tasks by user, in the order of their turns. */
  const queues = new Map<string, Task<Calls>[]>();
  /** The slot that runs a user's tasks. */
  const running = new Map<string, Slot<Calls>>();
  let idle: ReturnType<typeof setTimeout> | undefined;

  /** Rejects as the work does, and as `Unavailable` if its turn doesn't come in time. */
  function run<Output>(user: string, work: (thread: Thread<Calls>) => Promise<Output>): Promise<Output> {
    clearTimeout(idle);
    return new Promise((resolve, reject) => {
      const task: Task<Calls> = {
        run: (thread) => work(thread).then(resolve, reject),
        giveUp: setTimeout(() => {
          withdraw(user, task);
          reject(unavailable("The server is overloaded. Try again."));
        }, options.patience),
      };
      const queue = queues.get(user);
      if (queue === undefined) queues.set(user, [task]);
      else queue.push(task);
      dispatch();
    });
  }

  function withdraw(user: string, task: Task<Calls>): void {
    const left = queues.get(user)?.filter((other) => other !== task) ?? [];
    if (left.length > 0) queues.set(user, left);
    else queues.delete(user);
  }

  function dispatch(): void {
    startWaiting();
    if ([...queues.keys()].some((user) => !running.has(user))) warmUpAnother();
  }

  function startWaiting(): void {
    for (const [user] of queues) {
      const slot = slotFor(user);
      if (slot !== undefined) start(slot, user);
    }
  }

  function slotFor(user: string): Slot<Calls> | undefined {
    const own = running.get(user);
    if (own !== undefined) return queues.size === 1 && own.load < DEPTH ? own : undefined;
    const free = slots.filter(({ load }) => load === 0);
    // Starting another thread takes longer than most tasks do.
    return free.find(({ thread }) => thread.isRunning()) ?? free.find((slot) => slot === slots[0]);
  }

  function start(slot: Slot<Calls>, user: string): void {
    const [task, ...later] = queues.get(user) ?? [];
    // The user goes to the end of the line.
    queues.delete(user);
    if (later.length > 0) queues.set(user, later);
    if (task === undefined) return;
    clearTimeout(task.giveUp);
    slot.load++;
    running.set(user, slot);
    task.run(slot.thread).finally(() => {
      slot.load--;
      if (slot.load === 0) running.delete(user);
      dispatch();
      restLater();
    });
  }

  function warmUpAnother(): void {
    const slot = slots.find(({ load, thread }) => load === 0 && !thread.isRunning());
    if (slot !== undefined) warmUp(slot).then(dispatch, startWaiting);
  }

  async function warmUp(slot: Slot<Calls>): Promise<void> {
    slot.load++;
    try {
      await slot.thread.call("warmUp", undefined as never);
    } finally {
      slot.load--;
    }
  }

  function restLater(): void {
    if (!isIdle()) return;
    clearTimeout(idle);
    idle = setTimeout(rest, options.idleTime);
    idle.unref();
  }

  function rest(): void {
    const [first, ...others] = slots;
    for (const { thread } of others) thread.rest();
    if (first === undefined || options.isWorthKeeping()) return;
    first.thread.rest();
    options.replaced();
    warmUp(first).then(dispatch, startWaiting);
  }

  /** Returns the number of tasks that wait for a thread. */
  function waiting(): number {
    let tasks = 0;
    for (const queue of queues.values()) tasks += queue.length;
    return tasks;
  }

  const isIdle = (): boolean => queues.size === 0 && running.size === 0;

  function stop(): void {
    clearTimeout(idle);
    for (const { thread } of slots) thread.stop();
  }

  return { run, waiting, isIdle, stop };
}
