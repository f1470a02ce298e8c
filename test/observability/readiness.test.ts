import { describe, expect, test } from "bun:test";
import { storageFull, unavailable } from "../../src/domain/model/failure.ts";
import type { Part, PartState } from "../../src/domain/model/health.ts";
import { createReadiness, writesPart } from "../../src/observability/readiness.ts";
import { createRecordingLog } from "../support/log.ts";
import { random } from "../support/service.ts";

const START = Date.UTC(2026, 10, 22);

/** Opens readiness with parts whose states the test sets, and a clock that it moves. */
function openReadiness(states: Record<string, PartState | Error>) {
  const clock = { time: START, now: () => clock.time };
  let checks = 0;
  const parts = (): Part[] =>
    Object.keys(states).map((name) => ({
      name,
      check() {
        checks++;
        const state = states[name];
        if (state === undefined || state instanceof Error) throw state;
        return state;
      },
    }));
  const { log, events } = createRecordingLog();
  const readiness = createReadiness({ parts, clock, log });
  return { ...readiness, events, states, clock, countChecks: () => checks };
}

describe("whether the server is ready", () => {
  const samples: [string, Record<string, PartState | Error>, boolean][] = [
    ["nothing is wrong", { a: { state: "ok" }, b: { state: "ok" } }, true],
    ["a part is degraded", { a: { state: "ok" }, b: { state: "degraded", detail: "slow" } }, true],
    ["a part has failed", { a: { state: "failed" }, b: { state: "ok" } }, false],
    ["a check throws", { a: { state: "ok" }, b: new Error("broken") }, false],
  ];
  test.each(samples)("when %s", async (_, states, isReady) => {
    const readiness = openReadiness(states);
    expect(await readiness.isReady()).toBe(isReady);
    expect((await readiness.report()).parts.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  test("a part that never answers has failed after a while", async () => {
    const parts = () => [{ name: "silent", check: () => new Promise<PartState>(() => undefined) }];
    const readiness = createReadiness({ parts, clock: { now: Date.now }, log: createRecordingLog().log });
    expect((await readiness.report()).parts).toMatchObject([{ state: "failed", detail: "No answer within 2000 ms." }]);
  });

  test("a check that throws says why, with its cause", async () => {
    const { report } = openReadiness({ a: unavailable("Try again.", { cause: new Error("the disk is gone") }) });
    expect((await report()).parts).toMatchObject([{ state: "failed", detail: "Try again. (the disk is gone)" }]);
  });

  test("parts are checked once a second", async () => {
    const { isReady, report, clock, countChecks, states } = openReadiness({ a: { state: "ok" } });
    await Promise.all(Array.from({ length: 50 }, isReady));
    await report();
    expect(countChecks()).toBe(1);
    states.a = { state: "failed" };
    expect(await isReady()).toBe(true);
    clock.time += 1_000;
    expect(await isReady()).toBe(false);
    expect(countChecks()).toBe(2);
  });

  test("a state has been there since it was first seen", async () => {
    const { report, clock, states } = openReadiness({ a: { state: "ok" }, b: { state: "ok" } });
    const since = async () => (await report()).parts.map((part) => part.since - START);
    expect(await since()).toEqual([0, 0]);
    clock.time += 2_000;
    states.a = { state: "failed", detail: "gone" };
    expect(await since()).toEqual([2_000, 0]);
    clock.time += 2_000;
    states.a = { state: "failed", detail: "still gone" };
    expect(await since()).toEqual([2_000, 0]);
    clock.time += 2_000;
    states.a = { state: "ok" };
    expect(await since()).toEqual([6_000, 0]);
  });

  test("changes of state are logged once, what was fine from the start is not", async () => {
    const { report, clock, states, events } = openReadiness({ a: { state: "ok" }, b: { state: "ok" } });
    const change = async (state: PartState | Error) => {
      states.a = state;
      clock.time += 1_000;
      await report();
    };
    await report();
    expect(events).toEqual([]);
    for (let again = 0; again < 3; again++) await change(new Error("gone"));
    await change({ state: "degraded", detail: "slow" });
    await change({ state: "ok" });
    expect(events).toEqual([
      { level: "error", message: "The server is not ready: a.", error: "gone" },
      { level: "warn", message: "The server is degraded: a.", error: "slow" },
      { level: "info", message: "The server has recovered: a." },
    ]);
  });

  test("a server that stops is not ready, and says so", async () => {
    const { isReady, report, stop, events } = openReadiness({ a: { state: "ok" } });
    expect(await isReady()).toBe(true);
    stop();
    expect(await isReady()).toBe(false);
    expect((await report()).parts).toMatchObject([{ name: "server", state: "failed" }, { name: "a" }]);
    expect(events).toEqual([]);
  });
});

describe("the part that writes", () => {
  function openWrites() {
    const clock = { time: START, now: () => clock.time };
    const writes: PromiseWithResolvers<void>[] = [];
    const write = () => {
      const made = Promise.withResolvers<void>();
      writes.push(made);
      return made.promise;
    };
    return { clock, writes, part: writesPart({ operations: { writeProbe: write } }, { clock, random }) };
  }

  test("writes every 10 s at most", async () => {
    const { clock, writes, part } = openWrites();
    const first = part.check();
    writes[0]?.resolve();
    expect(await first).toEqual({ state: "ok" });
    clock.time += 9_999;
    expect(await part.check()).toEqual({ state: "ok" });
    expect(writes).toHaveLength(1);
    clock.time += 1;
    part.check();
    expect(writes).toHaveLength(2);
  });

  test("writes again a second after a write failed", async () => {
    const { clock, writes, part } = openWrites();
    const first = part.check();
    writes[0]?.reject(unavailable("The database is away."));
    expect(await first).toMatchObject({ state: "failed" });
    clock.time += 999;
    expect(await part.check()).toMatchObject({ state: "failed" });
    clock.time += 1;
    const second = part.check();
    writes[1]?.resolve();
    expect(await second).toEqual({ state: "ok" });
  });

  test("writes beside a write that doesn't end, less and less often", async () => {
    const { clock, writes, part } = openWrites();
    const startedAt: number[] = [];
    for (const begin = clock.time; clock.time < begin + 30_000; clock.time += 100) {
      const before = writes.length;
      part.check();
      if (writes.length > before) startedAt.push(clock.time - begin);
    }
    expect(startedAt).toEqual([0, 2_000, 6_000, 14_000, 24_000]);
    const last = part.check();
    writes.at(-1)?.resolve();
    expect(await last).toEqual({ state: "ok" });
  });

  test.each([
    ["a full disk degrades it", storageFull(), "degraded"],
    ["a database that can't be reached fails it", unavailable("The database is away."), "failed"],
    ["any other error fails it", new Error("attempt to write a readonly database"), "failed"],
  ] as const)("%s", async (_, error, state) => {
    const { writes, part } = openWrites();
    const answer = part.check();
    writes[0]?.reject(error);
    expect(await answer).toEqual({ state, detail: error.message });
  });
});
