import { beforeEach, expect, test } from "bun:test";
import { createItems } from "../../../src/domain/cabinet/items.ts";
import { combineLimits } from "../../../src/domain/trash/limits.ts";
import type { RetentionPlace } from "../../../src/domain/trash/ports.ts";
import { createLocalEvents } from "../../../src/events/local.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { random, uniqueName } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { noClearing } from "../cabinet/order-world.ts";
import { addOwner, buildPublication, type Owner, openTestStore } from "../support.ts";
import { createTestTrash } from "./support.ts";

const DAY = 24 * 60 * 60_000;
const NOW = 1_800_000_000_000;

test("rules together keep what any of them keeps", () => {
  expect(combineLimits([])).toBeUndefined();
  expect(combineLimits([{ keep: 3, days: null }])).toEqual({ keep: 3, days: 0 });
  expect(
    combineLimits([
      { keep: 3, days: 10 },
      { keep: null, days: 90 },
      { keep: 5, days: null },
    ]),
  ).toEqual({ keep: 5, days: 90 });
});

describeEachEngine("retention", (engine) => {
  const shared = use(() => openTestStore(engine));
  let owner: Owner;

  beforeEach(async () => {
    owner = await addOwner(shared);
  });

  const parts = () => ({
    store: shared.store,
    events: createLocalEvents(),
    clock: { now: () => NOW },
    random,
    operations: { clearing: noClearing },
  });
  const trash = () => createTestTrash(parts());
  const apply = () =>
    trash()
      .tasks.find(({ name }) => name === "retention")
      ?.run(new AbortController().signal);
  const setRule = (place: RetentionPlace, keep: number | null, days: number | null = null) =>
    trash().retention.set(owner.caller, owner.slug, { place, keep, days });

  /** Publishes versions of a report, so many days ago each. */
  async function publish(...ages: number[]): Promise<string> {
    const name = uniqueName();
    for (const age of ages) {
      await shared.store.publishing.publish(buildPublication(owner, { name, now: NOW - age * DAY }));
    }
    return name;
  }

  /** Returns the numbers of the versions that a report has. */
  async function left(name: string): Promise<number[]> {
    const found = await shared.store.reports.findNamedReport(name);
    const page = { itemId: found?.item.id ?? 0, beforeNo: undefined, limit: 100 };
    return (await shared.store.reports.listVersions(page)).map(({ versionNo }) => versionNo).toReversed();
  }

  async function addPlaces(name: string) {
    const { rows } = shared;
    const { workspaceId: workspace_id } = owner;
    const titled = { workspace_id, title: "T", search_title: "t", created_at: 1 };
    const [folder, tag] = [`fld_${name}`, `tag_${name}`];
    await rows
      .insertInto("folders")
      .values({ id: folder, drawer_id: null, ...titled })
      .execute();
    await rows
      .insertInto("tags")
      .values({ id: tag, parent_id: null, ...titled })
      .execute();
    const items = createItems(parts());
    await items.setFolder(owner.caller, [{ name }], folder);
    await items.setTags(owner.caller, [{ name }], { mode: "add", tagIds: [tag] });
    return { folder: { kind: "folder", id: folder }, tag: { kind: "tag", id: tag } } as const;
  }

  test("keeps what is among the newest or young enough, and moves the rest to the trash", async () => {
    const [name, single] = [await publish(50, 40, 30, 5, 4, 3), await publish(300)];
    await setRule({ kind: "workspace" }, 2, 10);
    expect(await apply()).toBe("Deleted 3 versions by retention rules.");
    expect(await left(name)).toEqual([4, 5, 6]);
    expect(await left(single)).toEqual([1]);
    const { entries } = await trash().page(owner.caller, { owner: owner.slug, limit: 50 });
    expect(entries.map(({ versionNo, reason, deletedBy }) => ({ versionNo, reason, deletedBy }))).toEqual(
      expect.arrayContaining([1, 2, 3].map((versionNo) => ({ versionNo, reason: "retention", deletedBy: null }))),
    );
    expect(await apply()).toBeUndefined();
    const ids = entries.map(({ id }) => id);
    await trash().restore(owner.caller, ids, undefined);
    expect(await left(name)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("keeps the current version and protected ones, however old", async () => {
    const name = await publish(50, 40, 30, 20);
    const item = (await shared.store.reports.findNamedReport(name))?.item;
    const versions = await shared.store.reports.listVersions({ itemId: item?.id ?? 0, beforeNo: undefined, limit: 9 });
    const codeOf = (number: number) => versions.find(({ versionNo }) => versionNo === number)?.code ?? "";
    await shared.rows
      .updateTable("items")
      .set({ current_code: codeOf(1) })
      .where("name", "=", name)
      .execute();
    await trash().protection.set(owner.caller, { code: codeOf(2) }, true);
    await setRule({ kind: "workspace" }, null, 10);
    await apply();
    expect(await left(name)).toEqual([1, 2]);
  });

  test("keeps versions that a guest link opens, but not for links that follow the report", async () => {
    const name = await publish(50, 40, 30, 20);
    const item = (await shared.store.reports.findNamedReport(name))?.item;
    const versions = await shared.store.reports.listVersions({ itemId: item?.id ?? 0, beforeNo: undefined, limit: 9 });
    const first = versions.find(({ versionNo }) => versionNo === 1)?.code ?? "";
    for (const code of [first, null]) {
      const id = `lnk_${uniqueName()}`;
      await shared.rows
        .insertInto("guest_links")
        .values({ id, hash: id, item_id: item?.id ?? 0, code, creator_id: owner.userId, created_at: NOW })
        .execute();
    }
    await setRule({ kind: "workspace" }, null, 10);
    await apply();
    expect(await left(name)).toEqual([1, 4]);
    await shared.rows.deleteFrom("guest_links").where("code", "=", first).execute();
    await apply();
    expect(await left(name)).toEqual([4]);
  });

  test("replaces the rule of the workspace by those of folders and tags, of which any can keep a version", async () => {
    const [name, other] = [await publish(50, 40, 30, 20), await publish(50, 40, 30, 20)];
    const { folder, tag } = await addPlaces(name);
    await setRule({ kind: "workspace" }, 1);
    await setRule(folder, 2);
    await setRule(tag, null, 45);
    await apply();
    expect(await left(name)).toEqual([2, 3, 4]);
    expect(await left(other)).toEqual([4]);
    await shared.rows.deleteFrom("tags").where("id", "=", tag.id).execute();
    await apply();
    expect(await left(name)).toEqual([3, 4]);
    expect(await trash().retention.list(owner.caller, owner.slug)).toHaveLength(2);
  });

  test("finds versions again when it deletes them, because they may be protected by then", async () => {
    const name = await publish(50, 40, 30);
    await setRule({ kind: "workspace" }, 1);
    const { workspaceId } = owner;
    const start = { itemId: 0, versionNo: 0 };
    const query = { workspaceId, after: start, limit: 10, now: NOW };
    const codes = (await shared.store.trash.findDueVersions(query)).due.map(({ code }) => code);
    expect(codes).toHaveLength(2);
    await trash().protection.set(owner.caller, { code: codes[0] ?? "" }, true);
    const outcome = await shared.store.trash.applyRetention({ workspaceId, codes, bin: undefined, now: NOW });
    expect(outcome.codes).toEqual(codes.slice(1));
    expect(await left(name)).toEqual([1, 3]);
  });

  test("continues in the middle of a report", async () => {
    await publish(50, 40, 30, 20, 10);
    await publish(50, 40);
    await setRule({ kind: "workspace" }, 1);
    const numbers: number[] = [];
    const query = { workspaceId: owner.workspaceId, limit: 2, now: NOW };
    for (let after: { itemId: number; versionNo: number } | undefined = { itemId: 0, versionNo: 0 }; after; ) {
      const page = await shared.store.trash.findDueVersions({ ...query, after });
      numbers.push(...page.due.map(({ versionNo }) => versionNo));
      after = page.next;
    }
    expect(numbers).toEqual([1, 2, 3, 4, 1]);
  });
});
