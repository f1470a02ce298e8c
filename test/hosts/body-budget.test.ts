import { expect, test } from "bun:test";
import { createBodyBudget } from "../../src/hosts/app/body-budget.ts";

const isPending = async (promise: Promise<unknown>) =>
  (await Promise.race([promise.then(() => "done"), Bun.sleep(5).then(() => "pending")])) === "pending";

test("a body waits while others fill the budget, one alone may go over it", async () => {
  const budget = createBodyBudget(100);
  const [first, second, third] = [budget.open(), budget.open(), budget.open()];
  await first.take(60);
  await second.take(60);
  const waiting = third.take(10);
  expect(await isPending(waiting)).toBe(true);
  await second.take(500);
  second.release();
  await waiting;
  await first.take(10);
});

test("those that wait are served in the order in which they came", async () => {
  const budget = createBodyBudget(10);
  const [holder, over, early, late] = [budget.open(), budget.open(), budget.open(), budget.open()];
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

test("many bodies, all larger than the budget, all get through", async () => {
  const budget = createBodyBudget(100);
  const read = async () => {
    const lease = budget.open();
    for (let chunk = 0; chunk < 20; chunk++) {
      await lease.take(10);
      await Bun.sleep(0);
    }
    lease.release();
  };
  await Promise.all(Array.from({ length: 30 }, read));
});
