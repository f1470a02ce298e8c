import { beforeEach, describe, expect, test } from "bun:test";
import type { ReadTaxonomy } from "../../../src/domain/cabinet/ports.ts";
import { createTaxonomies } from "../../../src/domain/cabinet/taxonomies.ts";
import type { Reader } from "../../../src/domain/model/entities.ts";
import { nextTurn } from "../../support/until.ts";

const OWNER: Reader = { userId: "usr_1", role: "owner" };

describe("remembered taxonomies", () => {
  let changes: number;
  let reads: PromiseWithResolvers<ReadTaxonomy>[];
  let taxonomies: ReturnType<typeof createTaxonomies>;

  beforeEach(() => {
    changes = 1;
    reads = [];
    taxonomies = createTaxonomies({
      countCabinetChanges: async () => changes,
      readTaxonomy: () => {
        const read = Promise.withResolvers<ReadTaxonomy>();
        reads.push(read);
        return read.promise;
      },
    });
  });

  const found = (itemCount: number, tags = 0): ReadTaxonomy => ({
    changes,
    drawers: [],
    folders: [],
    tags: Array.from({ length: tags }, (_, number) => ({
      ...{ id: `tag_${number}`, title: "T", parentId: null },
      itemCount,
      subtreeCount: itemCount,
    })),
    defaultFolderId: null,
    itemCount,
    unfiledCount: 0,
    untaggedCount: 0,
  });

  /** Starts a call, which has asked for the number of changes when this resolves. */
  async function start(workspaceId = "wsp_1", reader = OWNER) {
    const call = taxonomies.read(workspaceId, reader);
    await nextTurn();
    return { count: call.then(({ itemCount }) => itemCount) };
  }

  test("are read once, for calls at the same time and later ones", async () => {
    const [one, two] = [await start(), await start()];
    reads[0]?.resolve(found(5));
    expect([await one.count, await two.count, await (await start()).count]).toEqual([5, 5, 5]);
    expect(reads).toHaveLength(1);
  });

  test("don't include the number of changes", async () => {
    const call = taxonomies.read("wsp_1", OWNER);
    await nextTurn();
    reads[0]?.resolve(found(5));
    expect(Object.keys(await call)).not.toContain("changes");
  });

  test("are read again after a change, also while the earlier read is running", async () => {
    const before = await start();
    changes = 2;
    const after = await start();
    reads[1]?.resolve(found(6));
    expect(await after.count).toBe(6);
    reads[0]?.resolve({ ...found(5), changes: 1 });
    expect(await before.count).toBe(5);
    expect(await (await start()).count).toBe(6);
    expect(reads).toHaveLength(2);
  });

  test("count as read after a change that the read has already seen", async () => {
    const call = await start();
    changes = 2;
    reads[0]?.resolve(found(6));
    expect([await call.count, await (await start()).count, reads.length]).toEqual([6, 6, 1]);
  });

  test("are shared by owners and admins, and by no one else", async () => {
    await start("wsp_1", OWNER);
    await start("wsp_1", { userId: "usr_2", role: "admin" });
    expect(reads).toHaveLength(1);
    await start("wsp_1", { userId: "usr_1", role: "member" });
    await start("wsp_1", { userId: "usr_2", role: "member" });
    await start("wsp_2", OWNER);
    expect(reads).toHaveLength(4);
  });

  test("are not remembered if reading fails", async () => {
    const failing = await start();
    reads[0]?.reject(new Error("no database"));
    expect(await failing.count.catch((error) => error.message)).toBe("no database");
    const next = await start();
    reads[1]?.resolve(found(5));
    expect(await next.count).toBe(5);
  });

  test("take up a limited amount of memory: those used last stay", async () => {
    const readers = [1, 2, 3].map((number) => `wsp_${number}`);
    for (const workspaceId of readers) {
      const call = await start(workspaceId);
      reads.at(-1)?.resolve(found(1, 20_000));
      await call.count;
    }
    await start("wsp_3");
    await start("wsp_2");
    expect(reads).toHaveLength(3);
    await start("wsp_1");
    expect(reads).toHaveLength(4);
  });
});
