import { describe, expect, test } from "bun:test";
import { Failure } from "../../src/domain/model/failure.ts";
import type { Thread, ThreadOptions } from "../../src/threads/thread.ts";
import { createThreads } from "../../src/threads/threads.ts";
import { createRecordingLog } from "../support/log.ts";
import { nextTurn, until } from "../support/until.ts";
import type { Death, FickleCalls } from "./fickle-worker.ts";

const FICKLE = new URL("./fickle-worker.ts", import.meta.url);
const UNLOADABLE = new URL("./unloadable-worker.ts", import.meta.url);
const PATIENT = 60_000;
const SHORT = 400;
/** Milliseconds: a busy machine delays threads. */
const LONGER = 2_000;

/** Opens a registry with a simulated clock. */
function openThreads() {
  const clock = { time: 1_000_000, now: () => clock.time };
  const { log, events } = createRecordingLog();
  const givenUp: string[] = [];
  const threads = createThreads({
    clock,
    log,
    giveUp: (message) => givenUp.push(message),
  });
  const create = (options: Partial<ThreadOptions> = {}) =>
    threads.create<FickleCalls>({ name: "fickle thread", script: FICKLE, deadline: PATIENT, ...options });
  const state = () => threads.parts()[0]?.check();
  return { create, clock, events, givenUp, state, parts: threads.parts };
}

/** Returns how a call ended. */
const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    (output) => ({ output }),
    (error: unknown) => ({ kind: error instanceof Failure ? error.kind : "unforeseen", error }),
  );

const UNAVAILABLE = { kind: "Unavailable", error: expect.any(Failure) };

async function kill(thread: Thread<FickleCalls>): Promise<void> {
  expect(await outcomeOf(thread.call("die", "throws"))).toMatchObject(UNAVAILABLE);
}

describe("a call", () => {
  const samples: [string, (thread: Thread<FickleCalls>) => Promise<unknown>, unknown][] = [
    ["gets the handler's output", (thread) => thread.call("echo", "as it is"), { output: "as it is" }],
    [
      "gets the output of a slow handler",
      (thread) => thread.call("delay", { milliseconds: 5, answer: "late" }),
      { output: "late" },
    ],
    ["fails as the handler does", (thread) => thread.call("forbid", "No."), { kind: "Forbidden" }],
    [
      "keeps the code of an error",
      (thread) => thread.call("fail", "ENOSPC"),
      { error: { code: "ENOSPC", message: "failed with ENOSPC" } },
    ],
    [
      "keeps the code of a later error",
      (thread) => thread.call("failLater", "SQLITE_FULL"),
      { error: { code: "SQLITE_FULL" } },
    ],
    ["fails if its output can't be sent", (thread) => thread.call("unclonable", undefined), { kind: "unforeseen" }],
  ];

  test.each(samples)("%s, and the thread survives", async (_, call, expected) => {
    const { create, events } = openThreads();
    const thread = create();
    expect(await outcomeOf(call(thread))).toMatchObject(expected as object);
    expect(await thread.call("echo", "alive")).toBe("alive");
    expect(events).toEqual([]);
    await thread.close();
  });

  test("transfers buffers in both directions", async () => {
    const thread = openThreads().create();
    const bytes = new Uint8Array(1000).fill(2);
    expect(await thread.call("sum", bytes, [bytes.buffer])).toBe(2000);
    expect(bytes.length).toBe(0);
    expect(await thread.call("fill", 3)).toEqual(new Uint8Array([7, 7, 7]));
    await thread.close();
  });

  test("that can't be posted is rejected, and others aren't", async () => {
    const thread = openThreads().create();
    const other = thread.call("delay", { milliseconds: 20, answer: "fine" });
    // Bypasses the types, as a faulty caller would.
    expect(await outcomeOf(thread.call("echo", (() => undefined) as never))).toMatchObject({ kind: "unforeseen" });
    expect(await other).toBe("fine");
    await thread.close();
  });
});

describe("a thread that", () => {
  const deaths: Death[] = ["throws", "rejects", "exits", "never answers"];

  test.each(deaths)("%s rejects waiting calls as unavailable, reports it, and answers the next call", async (death) => {
    const { create, events, state } = openThreads();
    const thread = create({ deadline: death === "never answers" ? SHORT : PATIENT });
    await thread.call("echo", "up");
    const waiting = [thread.call("die", death), thread.call("delay", { milliseconds: PATIENT, answer: "never" })];
    const outcomes = await Promise.all(waiting.map(outcomeOf));
    expect(outcomes).toMatchObject([UNAVAILABLE, UNAVAILABLE]);
    expect(events).toHaveLength(1);
    expect(state()).toEqual({ state: "failed", detail: expect.stringContaining("fickle thread") });
    expect(thread.waiting()).toBe(0);
    expect(await thread.call("echo", "again")).toBe("again");
    expect(state()).toEqual({ state: "ok" });
    await thread.close();
  });

  test("is restarted automatically", async () => {
    const { create, state } = openThreads();
    const thread = create();
    await kill(thread);
    await until(async () => thread.isRunning() || undefined);
    expect(state()).toEqual({ state: "ok" });
    await thread.close();
  });

  test("can't be loaded is abandoned after five attempts", async () => {
    const { create, givenUp, events, state } = openThreads();
    const thread = create({ script: UNLOADABLE });
    expect(await outcomeOf(thread.call("echo", "?"))).toMatchObject(UNAVAILABLE);
    expect(state()).toMatchObject({ state: "failed" });
    await until(async () => givenUp[0]);
    expect(givenUp).toEqual(["The fickle thread stopped 5 times within a minute."]);
    expect(String(events[0]?.error)).toContain("This script does not load.");
    thread.stop();
  });

  test("dies repeatedly refuses callers at once, and is abandoned after five deaths within a minute", async () => {
    const { create, givenUp, clock } = openThreads();
    const thread = create();
    await kill(thread);
    await kill(thread);
    // Not restarted yet: the second pause is not zero.
    expect(await outcomeOf(thread.call("echo", "too soon"))).toMatchObject(UNAVAILABLE);
    for (const _ of [3, 4]) {
      await until(async () => thread.isRunning() || undefined);
      clock.time += 14_000;
      await kill(thread);
    }
    expect(givenUp).toEqual([]);
    await until(async () => thread.isRunning() || undefined);
    clock.time += 14_000;
    await kill(thread);
    expect(givenUp).toHaveLength(1);
    thread.stop();
  });

  test("dies occasionally is restarted each time", async () => {
    const { create, givenUp, clock } = openThreads();
    const thread = create();
    for (let death = 0; death < 8; death++) {
      await kill(thread);
      await until(async () => thread.isRunning() || undefined);
      clock.time += 15_001;
    }
    expect(givenUp).toEqual([]);
    await thread.close();
  });

  test("answers others in time isn't stuck, but a call that waits too long is rejected", async () => {
    const { create, events } = openThreads();
    const thread = create({ deadline: LONGER });
    await thread.call("echo", "up");
    const slow = outcomeOf(thread.call("delay", { milliseconds: LONGER * 20, answer: "too late" }));
    let ended = false;
    slow.then(() => {
      ended = true;
    });
    while (!ended) {
      expect(await thread.call("echo", "quick")).toBe("quick");
      await nextTurn();
    }
    expect(await slow).toMatchObject(UNAVAILABLE);
    expect(events).toEqual([]);
    await thread.close();
  });

  test("can't be opened says why, and stays closed", async () => {
    const { create, events, parts } = openThreads();
    const thread = create({ opening: { broken: "EACCES" } });
    expect(await outcomeOf(thread.open())).toMatchObject({ error: { code: "EACCES" } });
    expect(await outcomeOf(thread.call("echo", "?"))).toMatchObject(UNAVAILABLE);
    expect(events).toEqual([]);
    expect(parts()).toEqual([]);
  });

  test("is opened by the first call, and again after each restart", async () => {
    const thread = openThreads().create({ opening: { name: "a database" } });
    expect(await thread.call("opening", undefined)).toEqual({ name: "a database" });
    await kill(thread);
    expect(await thread.call("opening", undefined)).toEqual({ name: "a database" });
    await thread.close();
  });
});

describe("stopping a thread", () => {
  const closings = (closed: SharedArrayBuffer) => Atomics.load(new Int32Array(closed), 0);

  test("that is closed answers pending calls, closes its resources and accepts no more calls", async () => {
    const { create, parts } = openThreads();
    const closed = new SharedArrayBuffer(4);
    const thread = create({ opening: { closed } });
    const asked = [thread.call("delay", { milliseconds: 50, answer: "late" }), thread.call("echo", "soon")];
    await thread.close();
    expect(await Promise.all(asked)).toEqual(["late", "soon"]);
    expect(closings(closed)).toBe(1);
    expect(await outcomeOf(thread.call("echo", "?"))).toMatchObject(UNAVAILABLE);
    expect(parts()).toEqual([]);
    await thread.close();
  });

  test("that never started is closed as well", async () => {
    await openThreads().create().close();
  });

  test("that is stuck ends at its deadline", async () => {
    const { create, events } = openThreads();
    const thread = create({ deadline: SHORT });
    await thread.call("echo", "up");
    const stuck = outcomeOf(thread.call("die", "never answers"));
    await thread.close();
    expect(await stuck).toMatchObject(UNAVAILABLE);
    expect(events).toEqual([]);
  });

  test("that is idle frees it until the next call; a busy one stays", async () => {
    const { create, state } = openThreads();
    const thread = create();
    const asked = thread.call("delay", { milliseconds: 20, answer: "late" });
    thread.rest();
    expect(await asked).toBe("late");
    thread.rest();
    expect(thread.isRunning()).toBe(false);
    expect(state()).toEqual({ state: "ok" });
    expect(await thread.call("echo", "again")).toBe("again");
    await thread.close();
  });

  test("immediately rejects waiting calls", async () => {
    const thread = openThreads().create();
    const asked = outcomeOf(thread.call("delay", { milliseconds: PATIENT, answer: "never" }));
    thread.stop();
    expect(await asked).toMatchObject(UNAVAILABLE);
  });
});
