import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { describeEachEngine } from "../../support/engines.ts";
import { runsOf } from "../../support/runs.ts";
import { uniqueName } from "../../support/service.ts";
import { addOwner, buildPublication, openTestStore, type TestStore } from "../support.ts";

const REPORTS = 25;

describeEachEngine("lists of reports", (engine) => {
  let shared: TestStore;

  beforeAll(async () => {
    shared = await openTestStore(engine);
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  test("pages of any size list what one page lists, newest first", async () => {
    const owner = await addOwner(shared);
    const published: number[] = [];
    for (let n = 0; n < REPORTS; n++) {
      const publication = buildPublication(owner, { name: uniqueName() });
      published.push((await shared.store.publishing.publish(publication)).itemId);
    }

    async function listIds(limit: number): Promise<number[]> {
      const ids: number[] = [];
      const { userId, workspace: membership } = owner.caller;
      for (;;) {
        const page = { userId, membership, kind: "group" as const, beforeId: ids.at(-1), limit };
        const listed = await shared.store.reports.listItems(page);
        ids.push(...listed.map(({ id }) => id));
        if (listed.length < limit) return ids;
      }
    }

    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: REPORTS + 1 }), async (limit) => {
        expect(await listIds(limit)).toEqual(published.toReversed());
      }),
      { numRuns: runsOf(15) },
    );
  });
});
