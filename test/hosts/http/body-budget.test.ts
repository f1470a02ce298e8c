import { expect, test } from "bun:test";
import { createBodyBudget } from "../../../src/hosts/http/body-budget.ts";
import { createBodyPool } from "../../../src/hosts/http/body-pool.ts";
import { nextTurn } from "../../support/until.ts";

const isPending = async (promise: Promise<unknown>) =>
  (await Promise.race([promise.then(() => "done"), nextTurn().then(() => "pending")])) === "pending";

test("a body waits while others fill the budget; one alone may exceed it", async () => {
  const budget = createBodyPool({ total: 100, share: 1000 });
  const [first, second, third] = [budget.open("one"), budget.open("one"), budget.open("one")];
  await first.take(60);
  await second.take(60);
  const waiting = third.take(10);
  expect(await isPending(waiting)).toBe(true);
  await second.take(500);
  second.release();
  await waiting;
  await first.take(10);
});

test("waiting bodies are admitted in the order in which they came", async () => {
  const budget = createBodyPool({ total: 10, share: 1000 });
  const [holder, over, early, late] = [budget.open("one"), budget.open("one"), budget.open("one"), budget.open("one")];
  await holder.take(10);
  await over.take(1);
  const earlyTake = early.take(8);
  const lateTake = late.take(8);
  holder.release();
  await earlyTake;
  expect(await isPending(lateTake)).toBe(true);
  early.release();
  await lateTake;
});

test("many bodies that all exceed the budget are all admitted in turn", async () => {
  const budget = createBodyPool({ total: 100, share: 1000 });
  const read = async () => {
    const lease = budget.open("one");
    for (let chunk = 0; chunk < 20; chunk++) {
      await lease.take(10);
      await nextTurn();
    }
    lease.release();
  };
  await Promise.all(Array.from({ length: 30 }, read));
});

test("one sender's bodies take no more than its share, and one body that exceeds it", async () => {
  const pool = createBodyPool({ total: 100, share: 20 });
  const [first, second, third, other] = ["one", "one", "one", "other"].map((sender) => pool.open(sender));
  await first?.take(15);
  await second?.take(15);
  const waiting = third?.take(1) ?? Promise.reject();
  expect(await isPending(waiting)).toBe(true);
  await second?.take(50);
  await other?.take(10);
  second?.release();
  await waiting;
});

test("bodies that wait for their own sender's share don't delay other senders", async () => {
  const pool = createBodyPool({ total: 100, share: 10 });
  const stalled = Array.from({ length: 5 }, () => pool.open("one"));
  const takes = stalled.map((lease) => lease.take(10));
  expect(await isPending(Promise.all(takes))).toBe(true);
  const others = Array.from({ length: 8 }, (_, position) => pool.open(`other ${position}`));
  await Promise.all(others.map((lease) => lease.take(10)));
  for (const lease of stalled) lease.release();
  await Promise.all(takes);
});

test("a body that may exceed the total is not limited by its sender's share", async () => {
  const pool = createBodyPool({ total: 20, share: 10 });
  const [early, late, other] = [pool.open("one"), pool.open("one"), pool.open("other")];
  await other.take(15);
  await early.take(8);
  other.release();
  await late.take(5);
  await early.take(5);
  const waiting = late.take(5);
  expect(await isPending(waiting)).toBe(true);
  early.release();
  await waiting;
});

test("many bodies of few senders that exceed every limit are all admitted in turn", async () => {
  const pool = createBodyPool({ total: 100, share: 30 });
  const read = async (_: unknown, position: number) => {
    const lease = pool.open(`sender ${position % 4}`);
    for (let chunk = 0; chunk < 20; chunk++) {
      await lease.take(10);
      await nextTurn();
    }
    lease.release();
  };
  await Promise.all(Array.from({ length: 40 }, read));
});

test("request heads always have room beside large bodies", async () => {
  const budget = createBodyBudget({ total: 1000, share: 500 });
  const large = Array.from({ length: 50 }, (_, position) => budget.open(`large ${position}`));
  const takes = large.map((lease) => lease.take(1024 * 1024));
  expect(await isPending(Promise.all(takes))).toBe(true);
  await budget.open("small").take(100 * 1024);
  for (const lease of large) lease.release();
});
