import { expect, test } from "bun:test";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useTwoServices } from "../../../support/service.ts";
import { settle } from "../actions.ts";
import { type OrderActions, orderActionsOf, type TaxonomyAnswer } from "./order-actions.ts";

const times = <Result>(count: number, make: (index: number) => Result) =>
  Array.from({ length: count }, (_, index) => make(index));

/** Returns refusals that no earlier call explains. */
const unexpected = (refusals: readonly number[], ...expected: number[]) =>
  refusals.filter((status) => !expected.includes(status));

/** Expects that every tag leads to the top, and that everything that a folder or tag refers to exists. */
function expectWhole({ drawers, folders, tags }: TaxonomyAnswer): void {
  const parents = new Map(tags.map(({ id, parent_id }) => [id, parent_id]));
  for (const { id } of tags) {
    let steps = 0;
    for (let at: string | null | undefined = id; at != null; at = parents.get(at)) {
      expect(parents.has(at)).toBe(true);
      expect(++steps).toBeLessThanOrEqual(tags.length);
    }
  }
  const drawerIds = [null, ...drawers.map(({ id }) => id)];
  for (const { drawer_id } of folders) expect(drawerIds).toContain(drawer_id);
}

describeOneEngine("concurrent changes of the cabinet, with two servers on one database", (engine) => {
  const servers = useTwoServices(engine);
  let token: string;
  let owner: string;

  /** Sends every other call to the other server. */
  const either = (index: number) => orderActionsOf(servers.at(index));

  async function newOwner() {
    const user = await servers.first.build.user();
    token = user?.token ?? "";
    owner = user?.slug ?? "";
    return either(0);
  }

  const publishMany = (act: OrderActions, count: number) =>
    Promise.all(
      times(count, async () => {
        const name = uniqueName();
        await act.publish(token, { name });
        return name;
      }),
    );

  test("tags moved below each other never form a cycle", async () => {
    const act = await newOwner();
    for (let round = 0; round < 5; round++) {
      const tags = await Promise.all(times(4, () => act.createTag(token, owner)));
      const { answers, refusals } = await settle(
        tags.map(({ id }, i) => either(i).moveTag(token, id, tags[(i + 1) % tags.length]?.id ?? null)),
      );
      expect([answers.length, refusals]).toEqual([3, [400]]);
      expectWhole(await act.taxonomy(token, owner));
    }
  });

  test("a tag created several times at once is one", async () => {
    const act = await newOwner();
    for (let round = 0; round < 5; round++) {
      const parent = await act.createTag(token, owner);
      const tags = await Promise.all(
        times(8, (i) => either(i).createTag(token, owner, i % 2 ? "Weekly" : "WEEKLY", i < 4 ? null : parent.id)),
      );
      const ids = new Set(tags.map(({ id, parent_id }) => `${parent_id} ${id}`));
      expect(ids.size).toBe(2);
    }
    expect((await act.taxonomy(token, owner)).tags.length).toBe(5 * 2 + 1);
  });

  test("a folder deleted while reports are filed in it leaves none of them filed", async () => {
    const act = await newOwner();
    for (let round = 0; round < 5; round++) {
      const names = await publishMany(act, 6);
      const folder = await act.createFolder(token, owner);
      const items = names.map((name) => ({ name }));
      const { refusals } = await settle<unknown>([
        ...items.map((item, i) => either(i).fileItems(token, { items: [item], folder_id: folder.id })),
        either(round).deleteFolder(token, folder.id),
        ...times(3, (i) =>
          either(i).fileItems(token, { items: i % 2 ? items : items.toReversed(), folder_id: folder.id }),
        ),
      ]);
      expect(unexpected(refusals, 404)).toEqual([]);
      for (const name of names) {
        expect(await act.group(token, name)).toMatchObject({ folder_id: null, folder: null });
      }
      expect((await act.taxonomy(token, owner)).folders).toEqual([]);
    }
  });

  test("the default folder deleted during publishing leaves all reports published and none filed", async () => {
    const act = await newOwner();
    for (let round = 0; round < 5; round++) {
      const folder = await act.createFolder(token, owner);
      await act.setDefaultFolder(token, owner, folder.id);
      const group = uniqueName();
      const { answers, refusals } = await settle<unknown>([
        ...times(4, (i) => either(i).publish(token)),
        ...times(2, (i) => either(i).publish(token, { name: group })),
        either(round).deleteFolder(token, folder.id),
        ...times(4, (i) => either(i).publish(token)),
        ...times(2, (i) => either(i).publish(token, { name: group })),
      ]);
      expect([answers.length, refusals]).toEqual([13, []]);
      const taxonomy = await act.taxonomy(token, owner);
      expect(taxonomy).toMatchObject({ default_folder_id: null, folders: [] });
      expect(taxonomy.unfiled_count).toBe(taxonomy.item_count);
      expect((await act.group(token, group)).folder_id).toBeNull();
    }
  });

  test("a folder that is made the default while it is deleted doesn't become the default", async () => {
    const act = await newOwner();
    for (let round = 0; round < 8; round++) {
      const folder = await act.createFolder(token, owner);
      const { refusals } = await settle<unknown>([
        either(round).setDefaultFolder(token, owner, folder.id),
        either(round + 1).deleteFolder(token, folder.id),
      ]);
      expect(unexpected(refusals, 404)).toEqual([]);
      expect((await act.taxonomy(token, owner)).default_folder_id).toBeNull();
      await act.publish(token);
    }
  });

  test("a tag deleted with its subtree while it is attached remains on no report", async () => {
    const act = await newOwner();
    const names = await publishMany(act, 5);
    const items = names.map((name) => ({ name }));
    for (let round = 0; round < 5; round++) {
      const top = await act.createTag(token, owner, "Top");
      const below = await act.createTag(token, owner, "Below", top.id);
      const { refusals } = await settle<unknown>([
        ...times(3, (i) => either(i).tagItems(token, { items, add: [below.id] })),
        either(round).deleteTag(token, top.id),
        ...times(3, (i) => either(i).tagItems(token, { items: items.toReversed(), set: [top.id, below.id] })),
        either(round).createTag(token, owner, "Late", below.id),
      ]);
      expect(unexpected(refusals, 404)).toEqual([]);
      const taxonomy = await act.taxonomy(token, owner);
      expectWhole(taxonomy);
      expect(taxonomy).toMatchObject({ tags: [], untagged_count: names.length });
      for (const name of names) expect((await act.group(token, name)).tags).toEqual([]);
    }
  });

  test("a drawer deleted while folders move into it leaves them at the root", async () => {
    const act = await newOwner();
    for (let round = 0; round < 5; round++) {
      const drawer = await act.createDrawer(token, owner);
      const moving = await act.createFolder(token, owner);
      const { refusals } = await settle<unknown>([
        ...times(3, (i) => either(i).createFolder(token, owner, "Made", drawer.id)),
        either(round).deleteDrawer(token, drawer.id),
        either(round).moveFolder(token, moving.id, drawer.id),
        ...times(3, (i) => either(i).createFolder(token, owner, "Made", drawer.id)),
      ]);
      expect(unexpected(refusals, 404)).toEqual([]);
      const taxonomy = await act.taxonomy(token, owner);
      expectWhole(taxonomy);
      expect(taxonomy.drawers).toEqual([]);
    }
  });

  test("concurrent replacements of tags leave those of one call", async () => {
    const act = await newOwner();
    const [name = ""] = await publishMany(act, 1);
    const tags = await Promise.all(times(6, (i) => act.createTag(token, owner, `Tag ${i}`)));
    for (let round = 0; round < 5; round++) {
      const { answers } = await settle(
        tags.map(({ id }, i) =>
          either(i).tagItems(token, { items: [{ name }], set: [id, tags[(i + 1) % tags.length]?.id ?? ""] }),
        ),
      );
      expect(answers).toHaveLength(tags.length);
      const places = (await act.group(token, name)).tags.map(({ id }) => tags.findIndex((tag) => tag.id === id));
      expect(places).toHaveLength(2);
      expect([1, tags.length - 1]).toContain(Math.abs((places[0] ?? 0) - (places[1] ?? 0)));
    }
  });

  test("many reports filed concurrently, in any order, are all in one of the folders", async () => {
    const act = await newOwner();
    const names = await publishMany(act, 20);
    const items = names.map((name) => ({ name }));
    const folders = await Promise.all(times(4, () => act.createFolder(token, owner)));
    const { refusals } = await settle(
      folders.map(({ id }, i) =>
        either(i).fileItems(token, { items: i % 2 === 0 ? items : items.toReversed(), folder_id: id }),
      ),
    );
    expect(refusals).toEqual([]);
    const groups = await Promise.all(names.map((name) => act.group(token, name)));
    expect(new Set(groups.map(({ folder_id }) => folder_id)).size).toBe(1);
  });

  test("reports deleted while they are filed and tagged: a call applies completely or not at all", async () => {
    const act = await newOwner();
    const tag = await act.createTag(token, owner);
    for (let round = 0; round < 5; round++) {
      const names = await publishMany(act, 3);
      const [doomed = ""] = names;
      const folder = await act.createFolder(token, owner);
      const items = names.map((name) => ({ name }));
      const [filing] = await Promise.all([
        settle([either(round).fileItems(token, { items, folder_id: folder.id })]),
        settle([either(round).tagItems(token, { items, add: [tag.id] })]).then(({ refusals }) =>
          expect(unexpected(refusals, 404)).toEqual([]),
        ),
        either(round + 1).deleteGroup(token, doomed),
      ]);
      expect(unexpected(filing.refusals, 404)).toEqual([]);
      const expected = filing.answers.length === 1 ? folder.id : null;
      for (const name of names.slice(1)) expect((await act.group(token, name)).folder_id).toBe(expected);
    }
  });

  test("labels used while their folders are renamed, moved and deleted never cause a 5xx, and each can be read back", async () => {
    const act = await newOwner();
    const names = await publishMany(act, 6);
    for (let round = 0; round < 5; round++) {
      await act.setFolder(token, { name: names[0] ?? "", folder: "Drawer/Folder" });
      const { folder_id, drawer_id } = await act.group(token, names[0] ?? "");
      const { refusals } = await settle<unknown>([
        ...names.map((name, i) => either(i).setFolder(token, { name, folder: "Drawer/Folder" })),
        either(round).renameFolder(token, folder_id ?? "", "Renamed"),
        either(round + 1).deleteDrawer(token, drawer_id ?? ""),
        either(round).moveFolder(token, folder_id ?? "", null),
        ...names.map((_, i) => either(i + 1).publish(token, { folder: "Drawer/Folder" })),
        either(round + 1).deleteFolder(token, folder_id ?? ""),
      ]);
      expect(unexpected(refusals, 404)).toEqual([]);
      expectWhole(await act.taxonomy(token, owner));
      for (const name of names) {
        expect((await act.setFolder(token, { name, folder: "Drawer/Folder" })).folder).toBe("Drawer/Folder");
        expect((await act.group(token, name)).folder).toBe("Drawer/Folder");
      }
    }
  });

  test("a shortcut added by many concurrent calls exists once", async () => {
    const act = await newOwner();
    const { id: ref } = await act.createDrawer(token, owner);
    await Promise.all(times(8, (i) => either(i).addShortcut(token, { owner, kind: "drawer", ref })));
    expect(await act.shortcuts(token, owner)).toHaveLength(1);
  });
});
