import { expect, test } from "bun:test";
import { Failure } from "../../../src/domain/model/failure.ts";
import { openPostgres } from "../../../src/store/open-postgres.ts";
import { openSqlite } from "../../../src/store/open-sqlite.ts";
import { createMigratedDatabase, createTestDatabase } from "../../support/engines.ts";
import { postgresUnavailable } from "../../support/postgres.ts";
import { createFactories } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { failureOf } from "../support.ts";

/** Collects the worker threads that are started until `stop` is called. */
function collectWorkers() {
  const Original = globalThis.Worker;
  const workers: Worker[] = [];
  globalThis.Worker = class extends Original {
    constructor(...args: ConstructorParameters<typeof Original>) {
      super(...args);
      workers.push(this);
    }
  };
  return {
    workers,
    [Symbol.dispose]() {
      globalThis.Worker = Original;
    },
  };
}

test("writes under way when their thread dies have an unknown outcome, and the next one works", async () => {
  const database = await createTestDatabase("sqlite");
  let uncertainties = 0;
  using started = collectWorkers();
  const store = await openSqlite(database.dataDir, { uncertain: () => void uncertainties++ });
  try {
    const { user } = createFactories(store);
    const slugs = Array.from({ length: 60 }, (_, number) => `user-${number}`);
    const attempts = slugs.map((slug) => user({ slug }));
    await attempts[0];
    // More than it can complete before it dies.
    const probes = Array.from({ length: 2_000 }, (_, number) =>
      store.operations.writeProbe({ id: `probe_${number}`, now: 1 }),
    );
    started.workers[0]?.terminate();
    const lost = (await Promise.allSettled(probes)).filter(({ status }) => status === "rejected");
    expect(lost.length).toBeGreaterThan(0);
    const results = await Promise.allSettled(attempts);
    const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(failures.filter((failure) => !(failure instanceof Failure && failure.kind === "Unavailable"))).toEqual([]);
    // Once for those that were lost together.
    expect(uncertainties).toBeGreaterThan(0);
    expect(uncertainties).toBeLessThan(10);
    for (const [position, slug] of slugs.entries()) {
      const found = await store.people.findUserBySlug(slug);
      if (results[position]?.status === "fulfilled") expect(found).toBeDefined();
    }
    await user({ slug: "afterwards" });
    expect(await store.people.findUserBySlug("afterwards")).toBeDefined();
  } finally {
    await store.close();
    await database.remove();
  }
});

describeIf("calls of background tasks on postgres", postgresUnavailable(), () => {
  const purge = { now: 1, limit: 10 };

  test("run in a separate thread, which is replaced when it dies", async () => {
    const database = await createMigratedDatabase("postgres");
    using started = collectWorkers();
    let uncertainties = 0;
    const store = await openPostgres(database.databaseUrl ?? "", { uncertain: () => void uncertainties++ });
    try {
      await createFactories(store).user({ slug: "somebody" });
      expect(started.workers).toBeEmpty();
      expect(await store.trash.purgeExpired(purge)).toEqual({ entries: 0, codes: [], itemIds: [] });
      expect(started.workers).toHaveLength(1);

      const lost = failureOf(store.trash.purgeExpired(purge));
      started.workers[0]?.terminate();
      expect(await lost).toMatchObject({ kind: "Unavailable" });
      expect(uncertainties).toBe(1);
      expect(await store.search.updateIndex()).toBe(0);
      expect(started.workers).toHaveLength(2);
    } finally {
      await store.close();
      await database.remove();
    }
  });
});
