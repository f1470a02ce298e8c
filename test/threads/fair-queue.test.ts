import { expect, test } from "bun:test";
import { createFairQueue } from "../../src/threads/fair-queue.ts";
import { nextTurn } from "../support/until.ts";

const PATIENT = 60_000;

/** Opens a queue whose tasks end when the test says so. */
function openQueue({ size = 2, share }: { size?: number; share?: number } = {}) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const places = Array.from({ length: size }, (_, position) => position);
  const queue = createFairQueue<number>({
    places,
    share: share ?? size,
    depth: 1,
    patience: PATIENT,
    isReady: () => true,
    prepare: async () => undefined,
  });
  /** Adds a task that runs until `end` has been called once for it. */
  const add = (user: string, member = "") => {
    const work = (place: number) => {
      started.push(`${user}${member}${place}`);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    return queue.run(user, work, member);
  };
  /** Ends the task that has run for longest. */
  async function end(): Promise<void> {
    ends.shift()?.();
    await nextTurn();
  }
  /** Ends all tasks: one that waited in vain would fail another test later. */
  async function endAll(): Promise<void> {
    while (!queue.isEmpty()) await end();
  }
  return { ...queue, add, end, endAll, started };
}

test("a user gets all places while no other user waits", async () => {
  const { add, endAll, started } = openQueue({ size: 3 });
  for (const user of "aaaa") add(user);
  expect(started).toEqual(["a0", "a1", "a2"]);
  await endAll();
});

test("a user's share leaves places to others", async () => {
  const { add, endAll, started } = openQueue({ size: 3, share: 2 });
  for (const user of "aaaab") add(user);
  expect(started).toEqual(["a0", "a1", "b2"]);
  await endAll();
});

test("users take turns in any order of arrival", async () => {
  const { add, end, isEmpty, started } = openQueue();
  for (const user of "aaaaaabbcc") add(user);
  for (let task = 0; task < 10; task++) await end();
  expect(started.map(([user]) => user).join("")).toBe("aaabcabcaa");
  expect(isEmpty()).toBe(true);
});

test("a user who waits for a turn waits for one task of each other user", async () => {
  const { add, end, endAll, started } = openQueue({ size: 1 });
  for (let task = 0; task < 50; task++) add("busy");
  add("other");
  await end();
  await end();
  expect(started.map((task) => task.slice(0, -1))).toEqual(["busy", "busy", "other"]);
  await endAll();
});

test("members of a user take turns, and a member's tasks keep their order", async () => {
  const { add, end, endAll, started } = openQueue({ size: 1 });
  for (let task = 0; task < 4; task++) add("w", "a");
  for (const member of ["b", "b", "c"]) add("w", member);
  for (let task = 0; task < 3; task++) await end();
  add("w", "d");
  await endAll();
  expect(started.map((task) => task.slice(1, -1)).join("")).toBe("aabcabda");
});

test("a task that fails frees its place", async () => {
  const { run, isEmpty } = openQueue({ size: 1 });
  const failing = run("a", () => Promise.reject(new Error("failed")));
  const next = run("b", async () => "done");
  expect(await failing.catch((error: Error) => error.message)).toBe("failed");
  expect(await next).toBe("done");
  await nextTurn();
  expect(isEmpty()).toBe(true);
});
