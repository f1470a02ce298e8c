import { expect, test } from "bun:test";
import { Failure } from "../../src/domain/model/failure.ts";
import { createFairPool } from "../../src/threads/fair-pool.ts";
import { createThreads } from "../../src/threads/threads.ts";
import { nextTurn, until } from "../support/until.ts";
import type { FickleCalls } from "./fickle-worker.ts";

const PATIENT = 60_000;

function openPool({ size = 1, patience = PATIENT, idleTime = PATIENT, isWorthKeeping = true } = {}) {
  const registry = createThreads();
  const threads = Array.from({ length: size }, (_, position) =>
    registry.create<FickleCalls>({
      name: `fickle thread ${position}`,
      script: new URL("./fickle-worker.ts", import.meta.url),
      deadline: PATIENT,
    }),
  );
  let replacements = 0;
  const replaced = () => void replacements++;
  const pool = createFairPool<FickleCalls>({
    threads,
    patience,
    idleTime,
    isWorthKeeping: () => isWorthKeeping,
    replaced,
  });
  const ended: string[] = [];
  /** Occupies a thread for some milliseconds. */
  const occupy = (user: string, milliseconds = 1) =>
    pool.run(user, (thread) => thread.call("hold", milliseconds)).then(() => ended.push(user));
  return { ...pool, threads, ended, occupy, replacements: () => replacements };
}

test("users take turns; a single user doesn't wait", async () => {
  const { occupy, ended, stop } = openPool();
  const tasks = [..."aaaaaabbbccc"].map((user) => occupy(user));
  await Promise.all(tasks);
  expect(ended.join("")).toBe("aaaabcabcabc");
  stop();
});

test("one user's many slow tasks don't block another's", async () => {
  const { occupy, ended, stop } = openPool({ size: 2 });
  const slow = Array.from({ length: 12 }, () => occupy("slow", 60));
  await occupy("quick");
  expect(ended.filter((user) => user === "slow").length).toBeLessThan(7);
  await Promise.all(slow);
  stop();
});

test("a user never has two threads", async () => {
  const { occupy, threads, stop } = openPool({ size: 2 });
  await Promise.all([occupy("other", 50), ...Array.from({ length: 8 }, () => occupy("one", 5))]);
  await until(async () => threads.every((thread) => thread.isRunning()) || undefined);
  const tasks = Array.from({ length: 8 }, () => occupy("one", 20));
  let atOnce = 0;
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await nextTurn()) {
      atOnce = Math.max(atOnce, threads.filter((thread) => thread.waiting() > 0).length);
    }
  })();
  await Promise.all(tasks);
  isOver = true;
  await watching;
  expect(atOnce).toBe(1);
  stop();
});

test("a task that waits too long for its turn is refused and not run", async () => {
  const { occupy, run, ended, stop } = openPool({ patience: 50 });
  const first = occupy("a", 400);
  const refused = await run("b", (thread) => thread.call("echo", "b")).catch((error: unknown) => error);
  expect(refused).toMatchObject({ kind: "Unavailable", retryAfter: 1 });
  expect(refused).toBeInstanceOf(Failure);
  expect(ended).toEqual([]);
  await first;
  expect(await run("b", (thread) => thread.call("echo", "b"))).toBe("b");
  stop();
});

test("a task that kills its thread fails alone, and others continue", async () => {
  const { run, occupy, ended, stop } = openPool();
  const deadly = run("a", (thread) => thread.call("die", "throws")).catch((error: unknown) => error);
  await occupy("b");
  expect(await deadly).toMatchObject({ kind: "Unavailable" });
  expect(ended).toEqual(["b"]);
  stop();
});

test("idle threads are stopped except the first, if it is worth keeping", async () => {
  const { occupy, threads, replacements, stop } = openPool({ size: 2, idleTime: 50 });
  const [first, second] = threads;
  // The second one starts because both wait, and stops when idle.
  await Promise.all([..."ababab"].map((user) => occupy(user, 30)));
  await until(async () => !second?.isRunning() || undefined);
  expect(first?.isRunning()).toBe(true);
  expect(replacements()).toBe(0);
  await occupy("a");
  stop();
});

test("a first thread that isn't worth keeping is replaced by a fresh one", async () => {
  const { occupy, threads, replacements, stop } = openPool({ idleTime: 20, isWorthKeeping: false });
  await occupy("a");
  await until(async () => replacements() > 0 || undefined);
  await until(async () => threads[0]?.isRunning() || undefined);
  await occupy("a");
  stop();
});
