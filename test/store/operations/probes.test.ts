import { expect, test } from "bun:test";
import { describeEachEngine } from "../../support/engines.ts";
import { use } from "../../support/use.ts";
import { openTestStore } from "../support.ts";

describeEachEngine("a probe", (engine) => {
  const shared = use(() => openTestStore(engine));

  test("is written and leaves nothing behind, also if several are written concurrently", async () => {
    const { store, rows } = shared;
    const probes = Array.from({ length: 20 }, (_, number) =>
      store.operations.writeProbe({ id: `probe_${number}`, now: 1 }),
    );
    await Promise.all(probes);
    await store.operations.writeProbe({ id: "probe_0", now: 2 });
    expect(await rows.selectFrom("verifications").selectAll().execute()).toEqual([]);
  });
});
