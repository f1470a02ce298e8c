import { expect, test } from "bun:test";
import { postgresEngine, sqliteEngine } from "../../../src/store/engine/engine.ts";
import { unhurried } from "../../../src/store/engine/pace.ts";
import { listLargest } from "../../../src/store/search/largest.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { uniqueName } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { addOwner, buildPublication, openTestStore } from "../support.ts";

describeEachEngine("the largest reports", (engineName) => {
  const engine = engineName === "sqlite" ? sqliteEngine : postgresEngine;
  const shared = use(() => openTestStore(engineName));

  test("are found whatever the number of reports per step, in this workspace alone", async () => {
    const [owner, other] = [await addOwner(shared), await addOwner(shared)];
    const { publish } = shared.store.publishing;
    // Several reports of the same time: a step may end between them.
    const now = Date.now();
    const sizes = [5, 900, 40, 40, 7, 2_000_000_000, 300];
    const ids: number[] = [];
    const quota = 1e12;
    for (const size of sizes) {
      ids.push((await publish(buildPublication(owner, { name: uniqueName(), size, now, quota }))).itemId);
    }
    const grown = uniqueName();
    const { itemId } = await publish(buildPublication(owner, { name: grown, size: 2_000_000_000, quota }));
    await publish(buildPublication(owner, { name: grown, size: 2_000_000_000, quota }));
    await publish(buildPublication(other, { size: 3_000_000_000, quota }));
    const wanted = [itemId, ids[5], ids[1], ids[6], ids[2], ids[3]];
    const reader = { userId: owner.userId, role: "owner" as const };
    for (const step of [1, 2, 3, 8, 100]) {
      const requested = { workspaceId: owner.workspaceId, reader, limit: 6 };
      const found = await listLargest(shared.rows, engine, requested, unhurried, step);
      expect(found.map(({ id }) => id)).toEqual(wanted.filter((id) => id !== undefined));
      expect(found[0]).toMatchObject({ name: grown, size: 4_000_000_000, creatorId: owner.userId, versionCount: 2 });
    }
    const stored = await shared.store.search.listLargest({ workspaceId: owner.workspaceId, reader, limit: 1 });
    expect(stored.map(({ id }) => id)).toEqual([itemId]);
  });
});
