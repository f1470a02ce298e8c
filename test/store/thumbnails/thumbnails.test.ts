import { afterAll, beforeAll, expect, test } from "bun:test";
import { authorizeControlItems, authorizeModifyItem, authorizeUndo } from "../../../src/domain/model/access.ts";
import type { Thumbnail } from "../../../src/domain/thumbnails/ports.ts";
import { webpOf } from "../../domain/thumbnails/images.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { addOwner, buildPublication, type Owner, openTestStore, type TestStore } from "../support.ts";

const IMAGE = webpOf({ length: 40_000 }).toString("base64");
const THUMBNAIL: Thumbnail = { type: "image/webp", image: IMAGE, digest: "digest" };

describeEachEngine("stored thumbnails", (engine) => {
  let scene: TestStore;
  let owner: Owner;

  beforeAll(async () => {
    scene = await openTestStore(engine);
    owner = await addOwner(scene);
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  async function publish() {
    const { code } = await scene.store.publishing.publish(buildPublication(owner));
    const item = authorizeModifyItem(owner.caller, await scene.store.reports.findVersion(code));
    if (item === undefined) throw new Error("The report was not stored.");
    return { code, item };
  }

  const set = (of: Awaited<ReturnType<typeof publish>>, thumbnail = THUMBNAIL) =>
    scene.store.thumbnails.setThumbnail({ ...of, thumbnail, now: 1 });
  const find = (code: string) => scene.store.thumbnails.findThumbnail(code);
  const kept = async (code: string) =>
    (await scene.rows.selectFrom("thumbnails").select("code").where("code", "=", code).execute()).length;

  test("come back as they were set, and can be replaced", async () => {
    const made = await publish();
    expect(await find(made.code)).toBeUndefined();
    expect(await set(made)).toBe(true);
    expect(await find(made.code)).toEqual(THUMBNAIL);
    const other: Thumbnail = { type: "image/png", image: "AAAA", digest: "other" };
    expect(await set(made, other)).toBe(true);
    expect(await find(made.code)).toEqual(other);
  });

  test("are found among many codes", async () => {
    const [first, second, third] = [await publish(), await publish(), await publish()];
    await set(first);
    await set(third);
    const codes = [first.code, second.code, third.code, "none"];
    expect((await scene.store.thumbnails.findThumbnailed(codes)).toSorted()).toEqual(
      [first.code, third.code].toSorted(),
    );
    expect(await scene.store.thumbnails.findThumbnailed([])).toEqual([]);
  });

  test("can't be set for a deleted version, or for one of another report", async () => {
    const [gone, other] = [await publish(), await publish()];
    expect(await set({ code: other.code, item: gone.item })).toBe(false);
    await deleteTogether([gone.item.id], "del_gone");
    expect(await set(gone)).toBe(false);
    expect([await kept(gone.code), await kept(other.code)]).toEqual([0, 0]);
  });

  async function deleteTogether(itemIds: number[], id: string) {
    const items = (await scene.store.reports.findItemsOf(await codesOf(itemIds))).flatMap(
      (found) => authorizeModifyItem(owner.caller, found) ?? [],
    );
    const batch = authorizeControlItems(owner.caller, items);
    if (batch === undefined) throw new Error("The owner may not delete these.");
    const ids = itemIds.map((itemId) => `trs_${itemId}`);
    const bin = { batchId: id, ids, expiresAt: 1_000, allowance: 1e9 };
    await scene.store.trash.deleteItems({ batch, bin, userId: owner.userId, now: 1 });
  }

  const codesOf = async (itemIds: number[]) =>
    (await scene.rows.selectFrom("versions").select("code").where("item_id", "in", itemIds).execute()).map(
      ({ code }) => code,
    );

  test("come back when a deletion is undone", async () => {
    const made = await publish();
    await set(made);
    await deleteTogether([made.item.id], "del_undone");
    const allowed = authorizeUndo(owner.caller, await scene.store.trash.findDeletion("del_undone"));
    if (allowed === undefined) throw new Error("The deletion was not stored.");
    await scene.store.trash.restoreTrash({ undo: allowed.deletion, newName: undefined, quota: 1e9, now: 2 });
    expect(await find(made.code)).toEqual(THUMBNAIL);
  });

  test("are deleted with the objects of their version", async () => {
    const [made, other] = [await publish(), await publish()];
    await set(made);
    await set(other);
    await deleteTogether([made.item.id], "del_final");
    expect(await kept(made.code)).toBe(1);
    await scene.store.operations.markSwept({ codes: [made.code], now: 3 });
    expect([await kept(made.code), await kept(other.code)]).toEqual([0, 1]);
  });
});
