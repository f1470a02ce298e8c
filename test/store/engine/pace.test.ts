import { describe, expect, test } from "bun:test";
import { createPace, OutOfTime, type Pace, turnOf, workDone } from "../../../src/store/engine/pace.ts";

const checkForever = (pace: Pace) => {
  while (true) pace.check();
};

/** Stops the thread, as a slow disk or other threads do. */
const idle = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

describe("the pace of a read", () => {
  test("ends it after some work", () => {
    const begunAt = workDone();
    expect(() => checkForever(createPace({ time: 60_000, work: 20 }))).toThrow(OutOfTime);
    expect(workDone() - begunAt).toBeGreaterThanOrEqual(20);
  });

  test("doesn't count time without work", () => {
    const pace = createPace({ time: 60_000, work: 50 });
    idle(200);
    pace.check();
  });

  test("ends it after some time, with or without work", () => {
    const begunAt = performance.now();
    expect(() => checkForever(createPace({ time: 20 }))).toThrow(OutOfTime);
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(20);
    const idling = createPace({ time: 20, work: 60_000 });
    idle(30);
    expect(() => idling.check()).toThrow(OutOfTime);
  });
});

test.each([
  [
    { workspaceId: "wsp_a", reader: { userId: "usr_a", role: "member" } },
    { user: "wsp_a", member: "usr_a" },
  ],
  [{ workspaceId: "wsp_a" }, { user: "wsp_a", member: "" }],
  [{ reader: { userId: "usr_a" } }, { user: "usr_a", member: "usr_a" }],
  [{ reader: null }, { user: "", member: "" }],
  [undefined, { user: "", member: "" }],
])("a read of %j takes turns as %j", (input, turn) => expect(turnOf(input)).toEqual(turn));
