import type { ReplicaMessage } from "../../src/events/payload.ts";
import { BEAT_INTERVAL, createReplicas } from "../../src/events/replicas.ts";

/** Milliseconds until a broken connection is detected, and until it is replaced. */
const LONGEST_BREAK = 5_000;
/** Milliseconds between the commit of a change and its announcement. */
const LONGEST_GAP = 50;
/** Milliseconds after which the others know that a replica was killed. */
const MOURNING = 3_000;

/** Milliseconds between the clocks of two replicas. */
const MOST_AHEAD = 120_000;

/** A connection to the database: messages stay in order in both directions, and each takes some time. */
interface Line {
  isListening: boolean;
  /** Messages that reach the database later are lost. */
  cutAt: number;
  lastCommit: number;
  lastDelivery: number;
}

interface Process {
  name: string;
  replicas: ReturnType<typeof createReplicas>;
  isAlive: boolean;
  isStopped: boolean;
  /** Work that waits until the process runs again. */
  inbox: (() => void)[];
  line: Line | undefined;
  /** The state of the database in its cache. */
  remembered: number | undefined;
  /** Its changes that have not been acknowledged. */
  unanswered: number;
  lastChange: number;
  readonly startedAt: number;
  /** Additions that it has received. */
  readonly told: Set<number>;
  /** When it last learned that it may have missed something. */
  missedAt: number;
}

/** A new item, which is announced without waiting for the other replicas. */
interface Addition {
  item: number;
  at: number;
  by: Process;
  isAcknowledged: boolean;
}

interface Options {
  count: number;
  /** From 0 to 1. */
  random(): number;
  /** Maximum milliseconds to or from the database. */
  longestDelay: number;
}

/**
 * Simulates replicas on one database, with simulated time. The database holds one number, which changes increase, and each
 * replica caches it whenever it may.
 */
export function simulateReplicas({ count, random, longestDelay }: Options) {
  let time = 0;
  let stored = 0;
  let acknowledged = 0;
  const outcomes = { settled: 0, failed: 0, longestWait: 0 };
  const queue: { at: number; work: () => void }[] = [];
  /** From these times on, no replica may remember anything older than these values. */
  const dues: { value: number; from: number }[] = [];
  const violations: string[] = [];
  const additions: Addition[] = [];

  const upTo = (most: number) => random() * most;

  function after(delay: number, work: () => void): void {
    const at = time + delay;
    const place = queue.findLastIndex((entry) => entry.at <= at);
    queue.splice(place + 1, 0, { at, work });
  }

  const processes = Array.from({ length: count }, (_, position) => createProcess(`replica-${position}`));

  function createProcess(name: string): Process {
    // Each has a different clock.
    const ahead = upTo(MOST_AHEAD);
    const process: Process = {
      name,
      replicas: createReplicas({
        id: name,
        now: () => time + ahead,
        send: (messages) => send(process, messages),
        deliver(event) {
          process.remembered = undefined;
          if (event.kind === "itemChanged") process.told.add(event.itemId);
          if (event.kind === "missed") process.missedAt = time;
        },
        joined: () => undefined,
        gone: () => undefined,
      }),
      isAlive: true,
      isStopped: false,
      inbox: [],
      line: undefined,
      remembered: undefined,
      unanswered: 0,
      lastChange: 0,
      startedAt: time,
      told: new Set(),
      missedAt: 0,
    };
    connect(process);
    after(upTo(BEAT_INTERVAL), () => tick(process));
    return process;
  }

  function tick(process: Process): void {
    if (!process.isAlive) return;
    run(process, process.replicas.tick);
    after(BEAT_INTERVAL, () => tick(process));
  }

  function run(process: Process, work: () => void): void {
    if (process.isStopped) process.inbox.push(work);
    else if (process.isAlive) work();
  }

  function connect(process: Process): void {
    if (!process.isAlive || process.line !== undefined) return;
    const line: Line = { isListening: true, cutAt: Number.POSITIVE_INFINITY, lastCommit: 0, lastDelivery: 0 };
    after(upTo(longestDelay), () =>
      run(process, () => {
        if (process.line !== undefined) return;
        process.line = line;
        process.replicas.connected();
      }),
    );
  }

  function send({ line }: Process, messages: readonly ReplicaMessage[]): void {
    if (line === undefined) return;
    for (const message of messages) {
      const at = Math.max(line.lastCommit, time + upTo(longestDelay));
      line.lastCommit = at;
      after(at - time, () => {
        if (at <= line.cutAt) commit(message);
      });
    }
  }

  function commit(message: ReplicaMessage): void {
    for (const process of processes) {
      const { line } = process;
      if (!line?.isListening) continue;
      const at = Math.max(line.lastDelivery, time + upTo(longestDelay));
      line.lastDelivery = at;
      after(at - time, () => {
        if (!line.isListening) return;
        run(process, () => {
          if (process.line === line) process.replicas.hear(message);
        });
      });
    }
  }

  /** Cuts the connection. Messages under way may still arrive, or not. */
  function cut(process: Process): void {
    const { line } = process;
    if (line === undefined || !line.isListening) return;
    line.isListening = false;
    line.cutAt = time + upTo(longestDelay);
    after(upTo(LONGEST_BREAK), () =>
      run(process, () => {
        process.line = undefined;
        process.replicas.disconnected();
        after(upTo(LONGEST_BREAK), () => connect(process));
      }),
    );
  }

  function change(process: Process): void {
    if (!process.isAlive || process.isStopped) return;
    const value = ++stored;
    process.unanswered++;
    process.lastChange = value;
    after(upTo(LONGEST_GAP), () => run(process, () => say(process, value)));
  }

  function add(process: Process): void {
    if (!process.isAlive || process.isStopped) return;
    const addition: Addition = { item: additions.length, at: time, by: process, isAcknowledged: false };
    additions.push(addition);
    const { item: itemId } = addition;
    process.replicas.publish({ kind: "itemChanged", itemId, workspaceId: "workspace", isAddition: true });
    const acknowledge = () => {
      addition.isAcknowledged = true;
    };
    const settled = process.replicas.settled();
    if (settled === undefined) acknowledge();
    else settled.then(acknowledge, () => undefined);
  }

  /** Returns additions that a replica should know of, but neither received nor had reason to look for. */
  const untold = () =>
    living().flatMap((process) =>
      additions
        .filter(({ by, isAcknowledged }) => by !== process && isAcknowledged)
        .filter(({ at, item }) => process.startedAt <= at && process.missedAt < at && !process.told.has(item))
        .map(({ item }) => `${process.name} was not told of ${item}`),
    );

  function say(process: Process, value: number): void {
    process.remembered = undefined;
    process.replicas.publish({ kind: "versionsChanged", codes: [String(value)] });
    const saidAt = time;
    Promise.resolve(process.replicas.settled()).then(
      () => {
        acknowledged = Math.max(acknowledged, value);
        process.unanswered--;
        outcomes.settled++;
        outcomes.longestWait = Math.max(outcomes.longestWait, time - saidAt);
      },
      () => {
        process.unanswered--;
        outcomes.failed++;
      },
    );
  }

  function kill(process: Process): void {
    const isKnown = process.line?.isListening === true;
    process.isAlive = false;
    if (process.line !== undefined) process.line.isListening = false;
    if (isKnown) dues.push({ value: process.lastChange, from: time + MOURNING });
  }

  function wake(process: Process): void {
    process.isStopped = false;
    look(process);
    for (const work of process.inbox.splice(0)) {
      if (process.isAlive) work();
      look(process);
    }
  }

  /** Does what a request to this replica would do at this moment. */
  function look(process: Process): void {
    if (!process.isAlive || process.isStopped || !process.replicas.isHearing()) return;
    process.remembered ??= stored;
    const due = dues.filter(({ from }) => from <= time).map(({ value }) => value);
    const least = Math.max(acknowledged, ...due);
    if (process.remembered < least) {
      violations.push(`${process.name} remembers ${process.remembered} at ${time.toFixed(0)}, after ${least}`);
    }
  }

  async function advance(milliseconds: number): Promise<void> {
    const end = time + milliseconds;
    for (let next = queue[0]; next !== undefined && next.at <= end; next = queue[0]) {
      queue.shift();
      time = next.at;
      next.work();
      // Promises settle between events.
      for (let turn = 0; turn < 3; turn++) await Promise.resolve();
      for (const process of processes) look(process);
    }
    time = end;
  }

  const living = () => processes.filter(({ isAlive }) => isAlive);

  return {
    processes,
    violations,
    outcomes,
    living,
    change,
    add,
    untold,
    cut,
    kill,
    wake,
    advance,
    join: () => void processes.push(createProcess(`replica-${processes.length}`)),
    stop(process: Process) {
      process.isStopped = true;
    },
    unanswered: () => living().reduce((sum, process) => sum + process.unanswered, 0),
  };
}

export type Simulation = ReturnType<typeof simulateReplicas>;
