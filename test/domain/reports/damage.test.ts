import { expect, test } from "bun:test";
import { createDamage } from "../../../src/domain/reports/damage.ts";
import type { ServeStore } from "../../../src/domain/reports/ports.ts";

/** Records damage of versions that exist, except for deleted ones. */
function createAccounts(deleted: ReadonlySet<string> = new Set()) {
  const noted: string[] = [];
  const serve: ServeStore = {
    findServed: async () => undefined,
    findServedState: async (code) => (deleted.has(code) ? undefined : { visibility: "public", storage: "none" }),
  };
  return { noted, ...createDamage({ store: { reports: serve }, note: (code) => void noted.push(code) }) };
}

test("a damaged report is logged once, and every refusal is counted", async () => {
  const damage = createAccounts();
  expect(damage.health()).toEqual({ state: "ok" });
  for (const offset of [0, 7, 0]) expect(await damage.failureFor("A", offset)).toMatchObject({ kind: "Damaged" });
  await damage.failureFor("B", 0);
  expect(damage.noted).toEqual(["A", "B"]);
  expect(damage.counts()).toEqual({ reports: 2, refusals: 4 });
  expect(damage.health()).toEqual({
    state: "degraded",
    detail: "Files of 2 reports are missing or damaged, for example of A. Restore them from a backup.",
  });
});

test("a report counts as damaged until all of its damaged files were read completely", async () => {
  const damage = createAccounts();
  for (const offset of [0, 7]) await damage.failureFor("A", offset);
  for (const offset of [3, 7]) damage.recovered("A", offset);
  expect(damage.health().detail).toStartWith("Files of 1 report are");
  damage.recovered("A", 0);
  expect(damage.health()).toEqual({ state: "ok" });
  await damage.failureFor("A", 0);
  expect(damage.noted).toEqual(["A"]);
});

test("a deleted report is not damaged", async () => {
  const deleted = new Set<string>();
  const damage = createAccounts(deleted);
  await damage.failureFor("A", 0);
  deleted.add("A");
  expect(await damage.failureFor("A", 0)).toMatchObject({ kind: "NotFound" });
  expect(damage.counts()).toEqual({ reports: 0, refusals: 1 });
});

test("no more than 1,000 are remembered", async () => {
  const damage = createAccounts();
  for (let number = 0; number < 1_500; number++) await damage.failureFor(`code-${number}`, 0);
  expect(damage.counts()).toEqual({ reports: 1_000, refusals: 1_500 });
  await damage.failureFor("code-1499", 0);
  expect(damage.noted).toHaveLength(1_500);
  await damage.failureFor("code-0", 0);
  expect(damage.noted).toHaveLength(1_501);
});
