import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  authorizeControlItem,
  authorizeControlVersion,
  authorizeModifyItem,
} from "../../../src/domain/model/access.ts";
import { Failure } from "../../../src/domain/model/failure.ts";
import { prepareFolder } from "../../../src/domain/model/folders.ts";
import type { Publication } from "../../../src/domain/publishing/ports.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { runsOf } from "../../support/runs.ts";
import { random, uniqueName } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { addOwner, buildPublication, type Owner, openTestStore, storedBytes, type TestStore } from "../support.ts";
import { permanently } from "../trash/support.ts";
import { commands, type Model } from "./publish-model.ts";

describeEachEngine("the store of publications", (engine) => {
  const shared = use(() => openTestStore(engine));

  const publish = (owner: Owner, overrides: Partial<Publication> = {}) =>
    shared.store.publishing.publish(buildPublication(owner, overrides));

  const outcomes = async (attempts: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(attempts)).map((result) => {
      if (result.status === "fulfilled") return "done";
      return result.reason instanceof Failure ? result.reason.kind : String(result.reason);
    });

  const countOf = (all: readonly string[], one: string) => all.filter((other) => other === one).length;

  test("any sequence of publishing and deleting has the result that the rules define", async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const owners = [await addOwner(shared), await addOwner(shared)];
        const setup = (): { model: Model; real: { shared: TestStore; owners: Owner[]; run: string } } => ({
          model: { items: [], retired: [] },
          real: { shared, owners, run: crypto.randomUUID() },
        });
        await fc.asyncModelRun(setup, sequence);
      }),
      { numRuns: runsOf(engine === "sqlite" ? 400 : 160) },
    );
  });

  test("the quota applies exactly at its limit", async () => {
    const owner = await addOwner(shared);
    await publish(owner, { size: 60, quota: 100 });
    expect(await outcomes([publish(owner, { size: 41, quota: 100 })])).toEqual(["QuotaFull"]);
    expect(await storedBytes(shared.rows, owner.workspaceId)).toBe(60);
    await publish(owner, { size: 40, quota: 100 });
    await publish(owner, { size: 0, quota: 100 });
    expect(await outcomes([publish(owner, { size: 1, quota: 100 })])).toEqual(["QuotaFull"]);
    expect(await storedBytes(shared.rows, owner.workspaceId)).toBe(100);
  });

  test("deleting frees exactly as much space", async () => {
    const owner = await addOwner(shared);
    const name = uniqueName();
    await publish(owner, { size: 70, quota: 100, name });
    await publish(owner, { size: 30, quota: 100 });
    const item = authorizeControlItem(owner.caller, await shared.store.reports.findNamedReport(name));
    if (item === undefined) throw new Error("The report is missing.");
    await shared.store.trash.deleteItem({ item, ...permanently(1) });
    expect(await outcomes([publish(owner, { size: 71, quota: 100 })])).toEqual(["QuotaFull"]);
    expect(await outcomes([publish(owner, { size: 70, quota: 100 })])).toEqual(["done"]);
  });

  test.each([true, false])("of 20 concurrent publishes, a quota for 7 admits 7 (one name: %p)", async (oneName) => {
    const owner = await addOwner(shared);
    const name = uniqueName();
    const attempts = Array.from({ length: 20 }, () =>
      publish(owner, { size: 10, quota: 79, name: oneName ? name : uniqueName() }),
    );
    const ended = await outcomes(attempts);
    expect([countOf(ended, "done"), countOf(ended, "QuotaFull")]).toEqual([7, 13]);
    expect(await storedBytes(shared.rows, owner.workspaceId)).toBe(70);
    const items = await shared.rows
      .selectFrom("items")
      .innerJoin("versions", "versions.item_id", "items.id")
      .select(["items.last_version_no", "versions.version_no"])
      .where("items.workspace_id", "=", owner.workspaceId)
      .orderBy("versions.version_no")
      .execute();
    const numbers = oneName ? [1, 2, 3, 4, 5, 6, 7] : [1, 1, 1, 1, 1, 1, 1];
    expect(items.map((item) => item.version_no)).toEqual(numbers);
    expect(items.every((item) => item.last_version_no === (oneName ? 7 : 1))).toBe(true);
  });

  test("versions published concurrently get distinct consecutive numbers, and the highest is current", async () => {
    const owner = await addOwner(shared);
    const name = uniqueName();
    const publications = Array.from({ length: 30 }, () => buildPublication(owner, { name }));
    const published = await Promise.all(
      publications.map(async (publication) => ({
        code: publication.code,
        versionNo: (await shared.store.publishing.publish(publication)).versionNo,
      })),
    );
    const numbers = published.map(({ versionNo }) => versionNo).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, position) => position + 1));
    const group = await shared.store.reports.findNamedReport(name);
    expect(group?.item.currentCode).toBe(published.find(({ versionNo }) => versionNo === 30)?.code ?? "");
  });

  test("one of many users who claim a name concurrently gets it", async () => {
    const name = uniqueName();
    const owners = await Promise.all(Array.from({ length: 8 }, () => addOwner(shared)));
    const ended = await outcomes(owners.map((owner) => publish(owner, { name })));
    expect([countOf(ended, "done"), countOf(ended, "Conflict")]).toEqual([1, 7]);
    const losers = owners.filter((_, position) => ended[position] !== "done");
    for (const { workspaceId } of losers) expect(await storedBytes(shared.rows, workspaceId)).toBe(0);
  });

  test("folders named concurrently are created once", async () => {
    const owner = await addOwner(shared);
    const labels = [
      { drawer: "Sales", folder: "2026" },
      { drawer: "Sales", folder: "2025" },
      { drawer: null, folder: "2026" },
    ];
    const wanted = Array.from({ length: 8 }, () => labels).flat();
    await Promise.all(
      wanted.map(({ drawer, folder }) => publish(owner, { folder: prepareFolder({ drawer, folder }, random) })),
    );
    const drawers = await shared.rows
      .selectFrom("drawers")
      .select("id")
      .where("workspace_id", "=", owner.workspaceId)
      .execute();
    expect(drawers).toHaveLength(1);
    const folders = await shared.rows
      .selectFrom("folders")
      .innerJoin("items", "items.folder_id", "folders.id")
      .leftJoin("drawers", "drawers.id", "folders.drawer_id")
      .select(({ fn }) => ["folders.title as folder", "drawers.title as drawer", fn.countAll<number>().as("items")])
      .where("folders.workspace_id", "=", owner.workspaceId)
      .groupBy(["folders.id", "folders.title", "drawers.title"])
      .orderBy("folders.title")
      .execute();
    expect(folders).toEqual(expect.arrayContaining(labels.map(({ drawer, folder }) => ({ drawer, folder, items: 8 }))));
    expect(folders).toHaveLength(3);
  });

  test("filing in a new folder concurrently creates it once", async () => {
    const owner = await addOwner(shared);
    const names = Array.from({ length: 12 }, () => uniqueName());
    for (const name of names) await publish(owner, { name });
    const items = await Promise.all(
      names.map(async (name) => authorizeModifyItem(owner.caller, await shared.store.reports.findNamedReport(name))),
    );
    const file = async (item: (typeof items)[number]) => {
      if (item === undefined) throw new Error("A report is missing.");
      await shared.store.reports.setFolder({
        item,
        folder: prepareFolder({ drawer: "New", folder: "Folder" }, random),
        now: 1,
      });
    };
    await Promise.all(items.map(file));
    const groups = await Promise.all(names.map((name) => shared.store.reports.findNamedReport(name)));
    const folderIds = new Set(groups.map((group) => group?.item.folderId));
    expect(folderIds.size).toBe(1);
    for (const table of ["drawers", "folders"] as const) {
      const made = await shared.rows
        .selectFrom(table)
        .select("id")
        .where("workspace_id", "=", owner.workspaceId)
        .execute();
      expect(made).toHaveLength(1);
    }
  });

  test("concurrent publishing and deleting leaves a report consistent", async () => {
    const owner = await addOwner(shared);
    const name = uniqueName();
    for (let round = 0; round < 6; round++) {
      await Promise.all(Array.from({ length: 5 }, () => publish(owner, { name, size: 7 })));
      await outcomes([
        ...Array.from({ length: 5 }, () => publish(owner, { name, size: 7 })),
        ...Array.from({ length: 5 }, () => deleteCurrent(owner, name)),
        ...(round % 2 === 0 ? [deleteGroup(owner, name)] : []),
      ]);
      await expectWhole(owner, name);
    }
  });

  async function deleteCurrent(owner: Owner, name: string): Promise<void> {
    const found = authorizeControlVersion(owner.caller, await shared.store.reports.findNamedReport(name));
    if (found !== undefined) await shared.store.trash.deleteVersion({ found, ...permanently(1) });
  }

  async function deleteGroup(owner: Owner, name: string): Promise<void> {
    const item = authorizeControlItem(owner.caller, await shared.store.reports.findNamedReport(name));
    if (item !== undefined) await shared.store.trash.deleteItem({ item, ...permanently(1) });
  }

  async function expectWhole(owner: Owner, name: string): Promise<void> {
    const versions = await shared.rows
      .selectFrom("items")
      .leftJoin("versions", "versions.item_id", "items.id")
      .select(["items.current_code", "items.last_version_no", "versions.code", "versions.version_no", "versions.size"])
      .where("items.workspace_id", "=", owner.workspaceId)
      .orderBy("versions.version_no")
      .execute();
    const bytes = versions.reduce((sum, { size }) => sum + (size ?? 0), 0);
    expect(await storedBytes(shared.rows, owner.workspaceId)).toBe(bytes);
    const codes = versions.map(({ code }) => code ?? "no version");
    for (const { current_code } of versions) expect(codes).toContain(current_code);
    const retired = await shared.rows
      .selectFrom("retired_codes")
      .select("code")
      .where("code", "in", ["", ...codes])
      .execute();
    expect(retired).toEqual([]);
    const group = await shared.store.reports.findNamedReport(name);
    expect(group?.version.code).toBe(versions[0]?.current_code);
  }
});
