import { expect, test } from "bun:test";
import { describeEachEngine } from "../../support/engines.ts";
import { buildPublication, openTestStore } from "../support.ts";

describeEachEngine("the usage of quotas", (engine) => {
  test("is summed by plan, with the workspaces that are nearly full", async () => {
    await using opened = await openTestStore(engine);
    const { store, build } = opened;
    const fullFrom = { free: 100, pro: 1000 };
    expect(await store.operations.measureUsage({ fullFrom })).toEqual([]);

    async function addWorkspace(plan: "free" | "pro", size: number): Promise<void> {
      const { slug } = await build.user({ plan });
      const { id: userId = "", workspaceId = "" } = (await store.people.findUserBySlug(slug)) ?? {};
      if (size > 0) await store.publishing.publish(buildPublication({ userId, workspaceId }, { size, quota: 2 ** 40 }));
    }

    await addWorkspace("free", 0);
    await addWorkspace("free", 99);
    await addWorkspace("free", 100);
    await addWorkspace("pro", 999);
    await addWorkspace("pro", 3 * 2 ** 33);
    expect(await store.operations.measureUsage({ fullFrom })).toEqual([
      { plan: "free", workspaces: 3, storedBytes: 199, trashBytes: 0, nearlyFull: 1 },
      { plan: "pro", workspaces: 2, storedBytes: 999 + 3 * 2 ** 33, trashBytes: 0, nearlyFull: 1 },
    ]);
  });
});
