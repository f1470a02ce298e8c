import { expect, test } from "bun:test";
import { createCabinet } from "../../../src/domain/cabinet/cabinet.ts";
import { createItems } from "../../../src/domain/cabinet/items.ts";
import type { CabinetStore } from "../../../src/domain/cabinet/ports.ts";
import { createTags } from "../../../src/domain/cabinet/tags.ts";
import type { Caller } from "../../../src/domain/model/entities.ts";
import type { ChangeEvent, Events } from "../../../src/domain/model/events.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { clock, random, uniqueName } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { addOwner, buildCaller, buildPublication, failureOf, type Owner, openTestStore } from "../support.ts";

describeEachEngine("batches of reports", (engine) => {
  const shared = use(() => openTestStore(engine));

  /** Publishes two reports of an owner, and creates a folder and a tag. */
  async function furnish() {
    const owner = await addOwner(shared);
    const parts = { store: shared.store, events: { publish: () => undefined }, clock, random };
    const folder = await createCabinet(parts).createFolder(owner.caller, owner.slug, { title: "F", drawerId: null });
    const tag = await createTags(parts).create(owner.caller, owner.slug, { title: "T", parentId: null });
    const [one, two] = [await publish(owner), await publish(owner)];
    return { owner, folder, tag, one, two, references: [{ name: one.name }, { name: two.name }] };
  }

  async function publish(owner: Owner) {
    const name = uniqueName();
    const { itemId } = await shared.store.publishing.publish(buildPublication(owner, { name, visibility: "org" }));
    return { name, itemId, workspaceId: owner.workspaceId };
  }

  /** Creates the service, and records its events; `meanwhile` runs between looking up reports and changing them. */
  function itemsWith(meanwhile?: () => Promise<unknown>) {
    const told: ChangeEvent[] = [];
    const events: Events = {
      publish: (event) => told.push(event),
      subscribe: () => () => undefined,
      settled: () => undefined,
      isHearing: () => true,
    };
    const { reports, cabinet } = shared.store;
    const store = {
      reports,
      cabinet: {
        ...cabinet,
        fileItems: async (change: Parameters<CabinetStore["fileItems"]>[0]) => {
          await meanwhile?.();
          return cabinet.fileItems(change);
        },
        tagItems: async (change: Parameters<CabinetStore["tagItems"]>[0]) => {
          await meanwhile?.();
          return cabinet.tagItems(change);
        },
      },
    };
    return { ...createItems({ store, events, clock }), told };
  }

  const changed = (...items: readonly { itemId: number; workspaceId: string }[]): ChangeEvent[] =>
    items.map(({ itemId, workspaceId }) => ({ kind: "itemChanged", itemId, workspaceId }));
  const remove = ({ itemId }: { itemId: number }) =>
    shared.rows.transaction().execute(async (rows) => {
      await rows.deleteFrom("versions").where("item_id", "=", itemId).execute();
      await rows.deleteFrom("items").where("id", "=", itemId).execute();
    });
  const stateOf = async (name: string) => {
    const found = await shared.store.reports.findNamedReport(name);
    return { folderId: found?.item.folderId, tags: await shared.store.reports.listTags(found?.item.id ?? 0) };
  };
  const UNCHANGED = { folderId: null, tags: [] };

  test("only actual changes are announced", async () => {
    const { owner, folder, tag, one, two, references } = await furnish();
    const { setFolder, setTags, told } = itemsWith();
    await setFolder(owner.caller, [{ name: one.name }], folder.id);
    expect(told.splice(0)).toEqual(changed(one));
    expect((await setFolder(owner.caller, references, folder.id)).updated).toBe(2);
    expect(told.splice(0)).toEqual(changed(two));
    await setTags(owner.caller, [{ name: two.name }], { mode: "add", tagIds: [tag.id] });
    expect(told.splice(0)).toEqual(changed(two));
    await setTags(owner.caller, references, { mode: "set", tagIds: [tag.id] });
    expect(told.splice(0)).toEqual(changed(one));
    await setTags(owner.caller, references, { mode: "remove", tagIds: [] });
    expect(told).toEqual([]);
  });

  test("if a report is deleted meanwhile, the call fails, names it, and changes nothing", async () => {
    const { owner, folder, tag, one, two, references } = await furnish();
    const { setFolder, setTags, told } = itemsWith(() => remove(two));
    const filing = await failureOf(setFolder(owner.caller, references, folder.id));
    expect(filing).toMatchObject({
      kind: "NotFound",
      message: `items[1]: report "${two.name}" not found. Check the name and that you have access.`,
    });
    const third = await publish(owner);
    const tagging = itemsWith(() => remove(third)).setTags(owner.caller, [{ name: one.name }, { name: third.name }], {
      mode: "set",
      tagIds: [tag.id],
    });
    expect(await failureOf(tagging)).toMatchObject({ kind: "NotFound" });
    expect(await failureOf(setTags(owner.caller, references, { mode: "add", tagIds: [tag.id] }))).toMatchObject({
      message: `items[1]: report "${two.name}" not found. Check the name and that you have access.`,
    });
    expect(await stateOf(one.name)).toEqual(UNCHANGED);
    expect(told).toEqual([]);
  });

  test("if a report is withdrawn from a member meanwhile, they can't change it", async () => {
    const { owner, folder, one, two, references } = await furnish();
    const stranger = await addOwner(shared);
    const member: Caller = buildCaller({ ...owner, userId: stranger.userId, role: "member" });
    const withdraw = () =>
      shared.rows.updateTable("items").set({ visibility: "private" }).where("id", "=", two.itemId).execute();
    const failure = await failureOf(itemsWith(withdraw).setFolder(member, references, folder.id));
    expect(failure).toMatchObject({
      kind: "NotFound",
      message: `items[1]: report "${two.name}" not found. Check the name and that you have access.`,
    });
    expect(await stateOf(one.name)).toEqual(UNCHANGED);
    expect((await itemsWith().setFolder(owner.caller, references, folder.id)).updated).toBe(2);
  });

  test("if a folder or tag is deleted meanwhile, the call fails and changes nothing", async () => {
    const { owner, folder, tag, one, references } = await furnish();
    const { id } = folder;
    const withoutFolder = itemsWith(() => shared.rows.deleteFrom("folders").where("id", "=", id).execute());
    expect(await failureOf(withoutFolder.setFolder(owner.caller, references, id))).toMatchObject({
      kind: "NotFound",
      message: `folder_id "${id}" not found. Check the ID and that the folder is in the same workspace.`,
    });
    const withoutTag = itemsWith(() => shared.rows.deleteFrom("tags").where("id", "=", tag.id).execute());
    const tagging = withoutTag.setTags(owner.caller, references, { mode: "add", tagIds: [tag.id] });
    expect(await failureOf(tagging)).toMatchObject({
      kind: "NotFound",
      message: `add[0] "${tag.id}" not found. Check the ID and that the tag is in the same workspace.`,
    });
    expect(await stateOf(one.name)).toEqual(UNCHANGED);
  });

  test("a report is found by an older code while versions are published", async () => {
    const { owner, folder, one } = await furnish();
    const [first] = await shared.store.reports.listVersions({ itemId: one.itemId, beforeNo: undefined, limit: 1 });
    const publishing = async () => {
      for (let count = 0; count < 20; count++) {
        await shared.store.publishing.publish(buildPublication(owner, { name: one.name }));
      }
    };
    const filing = async () => {
      for (let count = 0; count < 20; count++) {
        const folderId = count % 2 === 0 ? folder.id : null;
        const { updated } = await itemsWith().setFolder(owner.caller, [{ code: first?.code ?? "" }], folderId);
        expect(updated).toBe(1);
      }
    };
    await Promise.all([publishing(), filing()]);
  });
});
