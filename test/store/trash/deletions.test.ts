import { beforeEach, expect, test } from "bun:test";
import { sql } from "kysely";
import { createItems } from "../../../src/domain/cabinet/items.ts";
import { compressedKey } from "../../../src/domain/model/objects.ts";
import { createSweep } from "../../../src/domain/operations/sweep.ts";
import type { Reference } from "../../../src/domain/reports/item-references.ts";
import { createLocalEvents } from "../../../src/events/local.ts";
import { silentLog } from "../../../src/observability/log.ts";
import { MOVED_TABLES } from "../../../src/store/moved-tables.ts";
import { listPublished } from "../../../src/store/operations/published.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { random, uniqueName } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { noClearing } from "../cabinet/order-world.ts";
import { addOwner, buildPublication, failureOf, type Owner, openTestStore } from "../support.ts";
import { createTestTrash } from "./support.ts";

const DAY = 24 * 60 * 60_000;
const WINDOW = 30 * DAY;
const START = 1_800_000_000_000;
const QUOTA = 10_000;
/** Milliseconds after which an unchanged object without a row is removed. */
const LONG_AGO = 365 * 24 * 60 * 60_000;

describeEachEngine("deletions that can be undone", (engine) => {
  const shared = use(() => openTestStore(engine));
  let owner: Owner;
  let now: number;
  let objects: Map<string, number>;

  beforeEach(async () => {
    owner = await addOwner(shared);
    now = START;
    objects = new Map();
  });

  const parts = () => ({
    store: shared.store,
    events: createLocalEvents(),
    clock: { now: () => now },
    random,
    log: silentLog,
    quotas: { free: QUOTA, pro: QUOTA },
    operations: { clearing: noClearing },
  });
  const trash = () => createTestTrash(parts());
  const remove = (references: readonly Reference[]) => trash().deleting.deleteReports(owner.caller, references);

  /** Objects by key, with the time of each put. */
  const blobs = () => ({
    put: async (key: string) => void objects.set(key, now),
    add: async (key: string) => void objects.set(key, now),
    read: async () => undefined,
    slice: async () => new Blob(),
    readAll: async () => undefined,
    delete: async (keys: readonly string[]) => {
      for (const key of keys) objects.delete(key);
    },
    async *list() {
      for (const [key, modifiedAt] of [...objects]) yield { key, size: 1, modifiedAt };
    },
    check: async () => undefined,
    forget: async () => undefined,
  });
  /** Runs what the server does with the trash and with objects from time to time. */
  async function sweep(clock = parts().clock) {
    const { tasks } = createTestTrash({ ...parts(), clock });
    for (const { run } of tasks) await run(new AbortController().signal);
    await createSweep({ ...parts(), clock, wait: Bun.sleep, blobs: blobs(), orphanDays: 0 }).run();
  }

  async function publish(name?: string, size = 10): Promise<string> {
    const publication = buildPublication(owner, { name, size, now: ++now, quota: QUOTA });
    for (const key of [publication.code, compressedKey(publication.code)]) objects.set(key, now - LONG_AGO);
    await shared.store.publishing.publish(publication);
    return publication.code;
  }

  /** Creates two named reports with several versions and an unnamed one: filed, tagged, searchable, and among the shortcuts. */
  async function furnish() {
    const { userId, workspaceId, caller } = owner;
    const { store } = shared;
    const [one, two] = [uniqueName(), uniqueName()];
    const codes = [await publish(one), await publish(two), await publish(one), await publish(), await publish(one)];
    const [, , second = "", report = ""] = codes;
    const workspace = caller.memberships.map((membership) => ({ ...membership, id: workspaceId }))[0];
    if (workspace === undefined) throw new Error("The caller has no workspace.");
    const found = await store.reports.findNamedReport(one);
    if (found === undefined) throw new Error("The report was not stored.");
    const folder = `fld_${one}`;
    const tag = `tag_${one}`;
    const { rows } = shared;
    const titled = { workspace_id: workspaceId, title: "T", search_title: "t", created_at: now };
    await rows
      .insertInto("folders")
      .values({ id: folder, drawer_id: null, ...titled })
      .execute();
    await rows
      .insertInto("tags")
      .values({ id: tag, parent_id: null, ...titled })
      .execute();
    const items = createItems(parts());
    const references: Reference[] = [{ name: one }, { name: two }, { code: report }];
    await items.setFolder(caller, references, folder);
    await items.setTags(caller, references, { mode: "add", tagIds: [tag] });
    await rows
      .insertInto("shortcuts")
      .values([
        { user_id: userId, workspace_id: workspaceId, kind: "group", ref: one, created_at: 1 },
        { user_id: userId, workspace_id: workspaceId, kind: "report", ref: report, created_at: 2 },
        { user_id: userId, workspace_id: workspaceId, kind: "tag", ref: tag, created_at: 3 },
      ])
      .execute();
    const [first = ""] = codes;
    const optional = {
      note: 'Costs in €:\n"net"',
      warnings: "[]",
      storage: "memory" as const,
      stand_ins: "[]",
      organization_id: "*",
    };
    await rows.updateTable("versions").set(optional).where("code", "=", first).execute();
    // Rolled back to the second version, with the first one deleted: numbers continue from the fourth.
    await rows.updateTable("items").set({ current_code: second }).where("name", "=", one).execute();
    return { one, two, report, codes, references, folder, tag };
  }

  /** Returns every row of the workspace and every code in the index, without numbers assigned by the index. */
  async function observe(): Promise<Record<string, string[]>> {
    const { rows, store } = shared;
    const contents: Record<string, string[]> = {};
    for (const { name } of MOVED_TABLES) {
      if (["sessions", "verifications", "users", "accounts", "tokens", "audit_entries"].includes(name)) continue;
      const { rows: found } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(rows);
      const withoutId = ({ id, ...row }: Record<string, unknown>) => (name === "search_codes" ? row : { id, ...row });
      contents[name] = found.map((row) => JSON.stringify(Object.entries(withoutId(row)).toSorted())).toSorted();
    }
    const scope = { workspaceId: owner.workspaceId, reader: { userId: owner.userId, role: "owner" as const } };
    const { rows: grams } = await sql<{ count: number }>`select count(*) as count from code_grams`.execute(rows);
    const { rows: itemGrams } = await sql<{ count: number }>`select count(*) as count from item_grams`.execute(rows);
    contents.grams = [String(grams[0]?.count), String(itemGrams[0]?.count)];
    const { changes: _, ...taxonomy } = await store.cabinet.readTaxonomy(scope);
    contents.taxonomy = [JSON.stringify(taxonomy)];
    return contents;
  }

  test("leave nothing searchable, keep codes and objects, and can be undone exactly", async () => {
    const { codes, references, one, report } = await furnish();
    const { workspaceId, caller } = owner;
    const before = await observe();
    const { deleted, undo } = await remove(references);
    expect({ deleted, expiresAt: undo?.expiresAt }).toEqual({ deleted: 3, expiresAt: now + WINDOW });
    expect(await shared.store.reports.findNamedReport(one)).toBeUndefined();
    expect(await shared.store.reports.findVersions(codes)).toEqual([]);
    const ofWorkspace = shared.rows.selectFrom("shortcuts").select("kind").where("workspace_id", "=", workspaceId);
    expect(await ofWorkspace.execute()).toEqual([{ kind: "tag" }]);
    const stored = shared.rows.selectFrom("workspaces").select("stored_bytes").where("id", "=", workspaceId);
    expect(await stored.executeTakeFirst()).toEqual({ stored_bytes: 0 });
    await sweep();
    expect([...objects.keys()].filter((key) => codes.includes(key)).toSorted()).toEqual(codes.toSorted());
    // Backups, copies and the scrub still know what is in the trash.
    const { operations } = shared.store;
    for (const code of codes) expect((await operations.findPublishedObject(code))?.code).toBe(code);
    const listed: string[] = [];
    for (const beginning of new Set(codes.map((code) => code.charAt(0)))) {
      for await (const { code } of listPublished(shared.rows).list(beginning)) listed.push(code);
    }
    expect(listed).toEqual(expect.arrayContaining(codes));
    const again = buildPublication(owner, { code: report });
    expect((await failureOf(shared.store.publishing.publish(again))).message).toContain(
      "belonged to a deleted version",
    );
    expect(await trash().undo(caller, undo?.id ?? "")).toBe(3);
    expect(await observe()).toEqual(before);
    await publish(one);
    expect((await shared.store.reports.findNamedReport(one))?.version.versionNo).toBe(4);
  });

  test("are permanent once they expire, and then their objects are deleted", async () => {
    const { codes, references } = await furnish();
    const kept = await publish();
    const { undo } = await remove(references);
    now = START + 29 * DAY;
    await sweep();
    expect(objects.size).toBe(2 * (codes.length + 1));
    now = undo?.expiresAt ?? 0;
    const failure = await failureOf(trash().undo(owner.caller, undo?.id ?? ""));
    expect(failure).toMatchObject({ kind: "NotFound" });
    await sweep();
    expect([...objects.keys()].toSorted()).toEqual([kept, compressedKey(kept)].toSorted());
    expect(await shared.store.trash.findDeletion(undo?.id ?? "")).toBeUndefined();
    const retired = shared.rows.selectFrom("retired_codes").select(["code", "swept_at"]).where("code", "in", codes);
    expect((await retired.execute()).map(({ swept_at }) => swept_at)).toEqual(codes.map(() => now));
  });

  test("are undone without the folder and the tags that were deleted meanwhile", async () => {
    const { one, references, folder, tag } = await furnish();
    const { undo } = await remove(references);
    await shared.rows.deleteFrom("folders").where("id", "=", folder).execute();
    await shared.rows.deleteFrom("tags").where("id", "=", tag).execute();
    now += 1_000;
    await trash().undo(owner.caller, undo?.id ?? "");
    const restored = await shared.store.reports.findNamedReport(one);
    expect(restored?.item).toMatchObject({ folderId: null, folderChangedAt: now });
    expect(await shared.store.reports.listTags(restored?.item.id ?? 0)).toEqual([]);
  });

  test("can't be undone if a name was taken again, which the error names", async () => {
    const { two, references } = await furnish();
    const { undo } = await remove(references);
    const taken = await publish(two);
    const before = await observe();
    const failure = await failureOf(trash().undo(owner.caller, undo?.id ?? ""));
    expect(failure).toMatchObject({
      kind: "Conflict",
      message: `The name "${two}" is taken, so nothing was restored. Restore the report under another name, such as "${two}-2", or rename the other report.`,
    });
    expect(await observe()).toEqual(before);
    const found = await shared.store.reports.findNamedReport(two);
    expect(found?.version.code).toBe(taken);
    const deleted = await remove([{ name: two }]);
    expect(await trash().undo(owner.caller, undo?.id ?? "")).toBe(3);
    expect(await failureOf(trash().undo(owner.caller, deleted.undo?.id ?? ""))).toMatchObject({ kind: "Conflict" });
  });

  test("free the quota, and need space to be undone", async () => {
    const name = uniqueName();
    await publish(name, QUOTA);
    const { undo } = await remove([{ name }]);
    const code = await publish(undefined, 1);
    const failure = await failureOf(trash().undo(owner.caller, undo?.id ?? ""));
    expect(failure).toMatchObject({ kind: "QuotaFull" });
    expect(await shared.store.reports.findNamedReport(name)).toBeUndefined();
    await createTestTrash({ ...parts(), trashDays: 0 }).deleting.deleteReports(owner.caller, [{ code }]);
    expect(await trash().undo(owner.caller, undo?.id ?? "")).toBe(1);
  });

  test("never return without their objects, however undo and sweep overlap", async () => {
    for (let round = 0; round < 10; round++) {
      const name = uniqueName();
      const codes = [await publish(name), await publish(name)];
      const { undo } = await remove([{ name }]);
      // The clocks of two replicas may differ: for one the deletion has expired, for the other it hasn't.
      const clock = { now: () => undo?.expiresAt ?? 0 };
      const [, restored] = await Promise.all([
        sweep(clock),
        trash()
          .undo(owner.caller, undo?.id ?? "")
          .catch(() => 0),
      ]);
      await sweep(clock);
      const there = codes.map((code) => objects.has(code));
      expect(there).toEqual(codes.map(() => restored === 1));
      expect((await shared.store.reports.findVersions(codes)).length).toBe(restored === 1 ? 2 : 0);
    }
  });

  test("are undone once, even with concurrent requests", async () => {
    const { references, codes } = await furnish();
    const { undo } = await remove(references);
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () =>
        trash()
          .undo(owner.caller, undo?.id ?? "")
          .catch(() => "refused"),
      ),
    );
    expect(outcomes.toSorted()).toEqual([3, ...Array.from({ length: 4 }, () => "refused")]);
    expect((await shared.store.reports.findVersions(codes)).length).toBe(codes.length);
  });

  test("of the same reports are one if they are concurrent", async () => {
    const { references } = await furnish();
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () =>
        remove(references)
          .then(({ deleted }) => deleted)
          .catch(({ kind }) => kind),
      ),
    );
    expect(outcomes.map(String).toSorted()).toEqual(["3", "NotFound", "NotFound", "NotFound"]);
  });
});
