import { expect, test } from "bun:test";
import { sql } from "kysely";
import { IdSet, WIDE_IDS } from "../../../src/store/engine/postings/id-set.ts";
import { addEntries, mergeChanges } from "../../../src/store/engine/postings/merge.ts";
import { findMeeting } from "../../../src/store/search/candidates.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { use } from "../../support/use.ts";
import { createRandom } from "../search/search-model.ts";
import { connectTo, openTestStore } from "../support.ts";

const BLOCKS = [0, 1, 2];
const MOST_ID = 3 * 65_536;

test("a set of ids does what a set does", () => {
  const { next } = createRandom(3);
  const some = () => new Set(Array.from({ length: 5_000 }, () => Math.floor(next() * MOST_ID)));
  const [one, other] = [some(), some()];
  // The first and the last place of a block and of a word.
  for (const id of [0, 31, 32, 65_535, 65_536, MOST_ID - 1]) for (const set of [one, other]) set.add(id);
  const [first, second] = [one, other].map((ids) => {
    const set = new IdSet();
    for (const id of ids) set.add(id);
    return set;
  }) as [IdSet, IdSet];
  expect(first.toArray()).toEqual([...one].toSorted((a, b) => a - b));
  expect(first.count()).toBe(one.size);
  first.keepOnly(second);
  const shared = one.intersection(other);
  expect(first.toArray()).toEqual([...shared].toSorted((a, b) => a - b));
  expect([...one, ...other].filter((id) => first.has(id) !== shared.has(id))).toEqual([]);
});

describeEachEngine("the postings", (engine) => {
  const shared = use(() => openTestStore(engine));
  const { next } = createRandom(5);

  /** Term 7 is at every item, -7 at more than a wide list holds, -8 at few. */
  const makeEntries = (ids: readonly number[]) =>
    ids.map((id) => ({
      id,
      terms: [7, ...(id % 8 === 0 ? [-7] : []), ...(id % 1_000 === 0 ? [-8] : []), 100 + (id % 9)],
    }));

  const meeting = async (requirement: { text?: number[]; places?: number[]; ids?: number[] }) => {
    const found = await findMeeting(shared.rows, BLOCKS, { text: [], places: [], ids: [], ...requirement });
    return found.toArray();
  };

  test("list every item at each of its terms, in whatever order and however often they are added", async () => {
    const ids = Array.from({ length: 40_000 }, () => Math.floor(next() * MOST_ID));
    for (let start = 0; start < ids.length; start += 20_000) {
      await addEntries(shared.rows, makeEntries(ids.slice(start, start + 20_000)));
    }
    const sorted = [...new Set(ids)].toSorted((one, other) => one - other);
    expect(await meeting({ text: [7] })).toEqual(sorted);
    expect(sorted.filter((id) => id % 8 === 0).length).toBeGreaterThan(WIDE_IDS);
    expect(await meeting({ places: [-7] })).toEqual(sorted.filter((id) => id % 8 === 0));
    expect(await meeting({ text: [7, 103] })).toEqual(sorted.filter((id) => id % 9 === 3));
    expect(await meeting({ text: [105, 103] })).toEqual([]);
    expect(await meeting({ text: [104], places: [-8], ids: [5] })).toEqual(
      [...new Set([5, ...sorted.filter((id) => id % 9 === 4 || id % 1_000 === 0)])].toSorted(
        (one, other) => one - other,
      ),
    );
    expect(await meeting({ text: [1] })).toEqual([]);
  });

  test("stay bounded if the same items are added again and again", async () => {
    const ids = Array.from({ length: 65_536 }, (_, id) => id);
    for (let round = 0; round < 3; round++) {
      await addEntries(
        shared.rows,
        ids.map((id) => ({ id, terms: [9] })),
      );
    }
    expect(await meeting({ text: [9] })).toEqual(ids);
    const { bytes } = await shared.rows
      .selectFrom("search_postings")
      .select(sql<number>`octet_length(ids)`.as("bytes"))
      .where("term", "=", 9)
      .executeTakeFirstOrThrow();
    expect(bytes).toBeLessThanOrEqual(4 * 65_536);
  });

  test("don't miss a change that is committed while they are updated", async () => {
    if (engine === "sqlite") return;
    const other = connectTo(shared.database);
    const change = { workspace_id: "wsp", item_id: 1, parts: 3 };
    const transaction = await other.startTransaction().execute();
    await transaction.insertInto("search_changes").values(change).execute();
    await shared.rows.insertInto("search_changes").values(change).execute();
    const merged = await shared.rows.transaction().execute(async (rows) => {
      const count = await mergeChanges(rows);
      await transaction.commit().execute();
      return count;
    });
    expect(merged).toBe(1);
    expect(await shared.rows.transaction().execute((rows) => mergeChanges(rows))).toBe(1);
    await other.destroy();
  });
});
