import { unavailable } from "../domain/model/failure.ts";

interface Task<Place> {
  member: string;
  /** Orders the tasks of a user: each member has one in a round. */
  round: number;
  run(place: Place): Promise<void>;
  giveUp: ReturnType<typeof setTimeout>;
}

interface Slot<Place> {
  place: Place;
  /** The user whose tasks it runs. */
  user: string | undefined;
  /** The number of tasks that it runs. */
  load: number;
}

export interface FairQueueOptions<Place> {
  /** Where tasks run, one user's at a time: threads or connections. The first one becomes ready by being used. */
  places: readonly Place[];
  /** The maximum number of places that run the tasks of one user. */
  share: number;
  /** The maximum number of tasks that a place gets at once, if no other user waits. */
  depth: number;
  /** Milliseconds that a task may wait for its turn. */
  patience: number;
  isReady(place: Place): boolean;
  /** Makes another place ready, because tasks wait. */
  prepare(place: Place): Promise<unknown>;
  /** Called when the last task has ended. */
  emptied?(): void;
}

/**
 * Runs tasks in a few places. Users take turns, so that a user waits for at most a few tasks of others; and so do the
 * members of a user, where a user is a workspace.
 */
export function createFairQueue<Place>(options: FairQueueOptions<Place>) {
  const slots = options.places.map((place): Slot<Place> => ({ place, user: undefined, load: 0 }));
  /** Waiting tasks by user, in the order of their turns. */
  const queues = new Map<string, Task<Place>[]>();

  /** Rejects as the work does, and as `Unavailable` if its turn doesn't come in time. */
  function run<Output>(user: string, work: (place: Place) => Promise<Output>, member = ""): Promise<Output> {
    return new Promise((resolve, reject) => {
      const task: Task<Place> = {
        member,
        round: 0,
        run: (place) => work(place).then(resolve, reject),
        giveUp: setTimeout(() => {
          withdraw(user, task);
          reject(unavailable("The server is overloaded. Try again."));
        }, options.patience),
      };
      enqueue(user, task);
      dispatch();
    });
  }

  function enqueue(user: string, task: Task<Place>): void {
    const queue = queues.get(user) ?? [];
    const before = queue.findLast(({ member }) => member === task.member);
    task.round = before === undefined ? (queue[0]?.round ?? 0) : before.round + 1;
    const later = queue.findIndex(({ round }) => round > task.round);
    queue.splice(later < 0 ? queue.length : later, 0, task);
    queues.set(user, queue);
  }

  function withdraw(user: string, task: Task<Place>): void {
    const left = queues.get(user)?.filter((other) => other !== task) ?? [];
    if (left.length > 0) queues.set(user, left);
    else queues.delete(user);
  }

  const slotsOf = (user: string) => slots.filter((slot) => slot.user === user);

  function dispatch(): void {
    startWaiting();
    if ([...queues.keys()].some((user) => slotsOf(user).length < options.share)) prepareAnother();
  }

  function startWaiting(): void {
    // A user with several places gets the next one only after all others had their turn.
    for (let started = true; started; ) {
      started = false;
      for (const [user] of [...queues]) {
        const slot = slotFor(user);
        if (slot === undefined) continue;
        start(slot, user);
        started = true;
      }
    }
  }

  function slotFor(user: string): Slot<Place> | undefined {
    const own = slotsOf(user);
    const free = own.length < options.share ? findFree() : undefined;
    return free ?? (queues.size === 1 ? own.find(({ load }) => load < options.depth) : undefined);
  }

  function findFree(): Slot<Place> | undefined {
    const free = slots.filter(({ load }) => load === 0);
    // Preparing another place takes longer than most tasks do.
    return free.find(({ place }) => options.isReady(place)) ?? free.find((slot) => slot === slots[0]);
  }

  function start(slot: Slot<Place>, user: string): void {
    const [task, ...later] = queues.get(user) ?? [];
    // The user goes to the end of the line.
    queues.delete(user);
    if (later.length > 0) queues.set(user, later);
    if (task === undefined) return;
    clearTimeout(task.giveUp);
    occupy(slot, user);
    task.run(slot.place).finally(() => {
      release(slot);
      dispatch();
      if (isEmpty()) options.emptied?.();
    });
  }

  function occupy(slot: Slot<Place>, user: string | undefined): void {
    slot.load++;
    slot.user = user;
  }

  function release(slot: Slot<Place>): void {
    slot.load--;
    if (slot.load === 0) slot.user = undefined;
  }

  function prepareAnother(): void {
    const slot = slots.find(({ load, place }) => load === 0 && !options.isReady(place));
    if (slot !== undefined) prepare(slot).then(dispatch, startWaiting);
  }

  async function prepare(slot: Slot<Place>): Promise<void> {
    occupy(slot, undefined);
    try {
      await options.prepare(slot.place);
    } finally {
      release(slot);
    }
  }

  /** Makes the first place ready again after it was replaced. */
  function prepareFirst(): void {
    const [first] = slots;
    if (first !== undefined) prepare(first).then(dispatch, startWaiting);
  }

  const isEmpty = () => queues.size === 0 && slots.every(({ user }) => user === undefined);

  /** Returns the number of tasks that wait for a place. */
  function waiting(): number {
    let tasks = 0;
    for (const queue of queues.values()) tasks += queue.length;
    return tasks;
  }

  return { run, waiting, isEmpty, prepareFirst };
}
