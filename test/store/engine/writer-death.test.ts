import { expect, test } from "bun:test";
import { Failure } from "../../../src/domain/model/failure.ts";
import { openSqlite } from "../../../src/store/open-sqlite.ts";
import { createTestDatabase } from "../../support/engines.ts";
import { createFactories } from "../../support/service.ts";

/** Opens a database. Resolves to it with its writer thread. */
async function openWithWorker(dataDir: string, uncertain: () => void) {
  const Original = globalThis.Worker;
  const workers: Worker[] = [];
  globalThis.Worker = class extends Original {
    constructor(...args: ConstructorParameters<typeof Original>) {
      super(...args);
      workers.push(this);
    }
  };
  try {
    const store = await openSqlite(dataDir, { uncertain });
    const [worker] = workers;
    if (worker === undefined) throw new Error("No writer was started.");
    return { store, worker };
  } finally {
    globalThis.Worker = Original;
  }
}

test("writes under way when their thread dies have an unknown outcome, and the next one works", async () => {
  const database = await createTestDatabase("sqlite");
  let uncertainties = 0;
  const { store, worker } = await openWithWorker(database.dataDir, () => void uncertainties++);
  try {
    const { user } = createFactories(store);
    const slugs = Array.from({ length: 60 }, (_, number) => `user-${number}`);
    const attempts = slugs.map((slug) => user({ slug }));
    await attempts[0];
    // More than it can complete before it dies.
    const probes = Array.from({ length: 2_000 }, (_, number) =>
      store.operations.writeProbe({ id: `probe_${number}`, now: 1 }),
    );
    worker.terminate();
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
