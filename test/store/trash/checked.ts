import { expect } from "bun:test";
import { createFileBlobs } from "../../../src/blobs/fs.ts";
import { createSweep } from "../../../src/domain/operations/sweep.ts";
import { silentLog } from "../../../src/observability/log.ts";
import { postgresDifferences, sqliteDifferences } from "../../../src/store/engine/moving/differences.ts";
import { checkDatabase } from "../../../src/store/operations/checks.ts";
import type { EngineName } from "../../support/engines.ts";
import { connectTo, type TestStore } from "../support.ts";
import { type Intent, type Inventory, takeInventory } from "./random-run.ts";

/** Checks that the sums are exact, as `vitrine verify` does, and that exactly what isn't purged has its bytes. */
export async function expectWhole(
  engine: EngineName,
  { store, rows, database, objects }: Pick<TestStore, "store" | "rows" | "database"> & { objects: string },
) {
  const problems: string[] = [];
  const differences = engine === "sqlite" ? sqliteDifferences : postgresDifferences;
  // A new connection: SQLite checks its index of codes against what a connection has read of it before.
  const fresh = connectTo(database);
  await checkDatabase(fresh, differences, ({ part, message }) => problems.push(`${part}: ${message}`));
  await fresh.destroy();
  expect(problems).toEqual([]);
  const blobs = createFileBlobs(objects);
  // Objects of unfinished publishes are orphans, which stay for a while.
  const clock = { now: Date.now };
  await createSweep({ store, blobs, clock, wait: Bun.sleep, log: silentLog, orphanDays: 7 }).run();
  const inventory = await takeInventory(rows);
  const retired = await rows.selectFrom("retired_codes").select(["code", "deletion_id"]).execute();
  const gone = retired.filter(({ deletion_id: id }) => id === null).map(({ code }) => code);
  const stored = new Set<string>();
  for await (const { key } of blobs.list()) stored.add(key);
  expect([...inventory.living, ...inventory.trashed].filter((code) => !stored.has(code))).toEqual([]);
  expect(gone.filter((code) => stored.has(code))).toEqual([]);
  return inventory;
}

/** Checks what one step may have changed: only a purge loses something, and nothing loses what is protected or current. */
export function expectKept(before: Inventory, after: Inventory, { step, purges }: Intent): void {
  const there = new Set([...after.living, ...after.trashed]);
  const lost = [...before.living, ...before.trashed].filter((code) => !there.has(code) && !purges.includes(code));
  expect(lost).toEqual([]);
  const living = new Set(after.living);
  expect(before.protected.filter((code) => !living.has(code))).toEqual([]);
  if (!step.startsWith("delete")) expect(before.current.filter((code) => !living.has(code))).toEqual([]);
  expect(after.current.filter((code) => !living.has(code))).toEqual([]);
  expect(after.trashed.filter((code) => living.has(code))).toEqual([]);
}
