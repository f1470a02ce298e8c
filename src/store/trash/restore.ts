import { sql } from "kysely";
import { undoNotFound } from "../../domain/model/common-failures.ts";
import type { Instant } from "../../domain/model/entities.ts";
import { conflict, notFound, quotaFull } from "../../domain/model/failure.ts";
import { quote } from "../../domain/model/quote.ts";
import type { ChangedItems, Restored, RestoreRequest } from "../../domain/trash/ports.ts";
import { countingSubtreesOnce } from "../cabinet/subtree-counts.ts";
import { isUniqueViolation } from "../engine/engine.ts";
import type { Database } from "../engine/schema.ts";
import { showThreads } from "../reviews/withhold.ts";
import { addCodesToIndex, addToIndex, searchColumns } from "../search/index-item.ts";
import { findExisting, inChunks, restoreBelongings } from "./belongings.ts";
import { makeCurrent } from "./deleting.ts";
import { findFreeNames } from "./free-names.ts";
import { restoreShortcuts } from "./shortcuts.ts";
import { decodeSnapshot, type ItemRow, readKeptVersions, type Snapshot, type VersionRow } from "./snapshots.ts";

interface Taken extends Omit<Snapshot, "version"> {
  workspaceId: string;
  versions: VersionRow[];
  /** What is known of versions that were deleted alone, by their codes. */
  single: Map<string, NonNullable<Snapshot["version"]>>;
  restored: Restored[];
}

export async function restoreTrash(
  database: Database,
  request: RestoreRequest & { newName: string | undefined; quota: number; now: Instant },
): Promise<ChangedItems & { restored: Restored[] }> {
  const { newName, quota, now } = request;
  const taken = await take(database, request, now);
  const { workspaceId, versions, belongings, shortcuts } = taken;
  const items = newName === undefined ? taken.items : taken.items.map((item) => renamed(item, newName));
  await refuseTakenNames(database, items);
  const own = new Set(items.map(({ id }) => id));
  const added = versions.filter(({ item_id }) => !own.has(item_id));
  const reports = await lockReports(database, workspaceId, added, now);
  await insertItems(database, items, now);
  await inChunks(versions, async (rows) => {
    const visible = rows.map((row) => withVisibility(row, reports.get(row.item_id), taken.single.get(row.code)));
    await database.insertInto("versions").values(visible).execute();
    await addCodesToIndex(database, workspaceId, rows);
    await showThreads(
      database,
      rows.map(({ code }) => code),
    );
  });
  await countingSubtreesOnce(
    database,
    items.map(({ id }) => id),
    () => restoreBelongings(database, belongings),
  );
  await restoreShortcuts(database, workspaceId, newName === undefined ? shortcuts : shortcutsAs(shortcuts, newName));
  const size = versions.reduce((sum, version) => sum + version.size, 0);
  await claimQuota(database, { workspaceId, size, quota });
  for (const { item_id, code } of added) {
    const current = reports.get(item_id)?.current_code;
    if (current !== undefined && taken.single.get(code)?.succeededBy === current) {
      await makeCurrent(database, item_id, code);
    }
  }
  return {
    itemIds: [...new Set(versions.map(({ item_id }) => item_id))],
    codes: versions.map(({ code }) => code),
    restored: taken.restored.map((one) => (newName === undefined ? one : { ...one, name: newName })),
  };
}

/** Takes deleted rows. */
async function take(database: Database, request: RestoreRequest, now: Instant): Promise<Taken> {
  const rows = await lockDeletions(database, request, now);
  const deletionIds = rows.map(({ id }) => id);
  const taken: Taken = {
    workspaceId: rows[0]?.workspace_id ?? "",
    items: [],
    shortcuts: [],
    belongings: {},
    single: new Map(),
    restored: [],
    versions: await readKeptVersions(database, deletionIds),
  };
  for (const row of rows) {
    const { snapshot, versions } = decodeSnapshot(row.snapshot);
    taken.items.push(...snapshot.items);
    taken.shortcuts.push(...snapshot.shortcuts);
    taken.versions.push(...versions);
    for (const [table, belonging] of Object.entries(snapshot.belongings)) {
      taken.belongings[table] = [...(taken.belongings[table] ?? []), ...belonging];
    }
    const { id, kind, item_id: itemId, name, code } = row;
    if (code !== null && snapshot.version !== undefined) taken.single.set(code, snapshot.version);
    if (kind !== null && itemId !== null && code !== null) taken.restored.push({ id, kind, itemId, name, code });
    else taken.restored.push(...snapshot.items.map((item) => restoredItem(id, item)));
  }
  await database.deleteFrom("retired_codes").where("deletion_id", "in", deletionIds).execute();
  await database.deleteFrom("deletions").where("id", "in", deletionIds).execute();
  return taken;
}

/** Locks deletions, so that they can't be purged at the same time. Throws `NotFound` if one is missing. */
async function lockDeletions(database: Database, request: RestoreRequest, now: Instant) {
  const ids = "undo" in request ? [] : request.entries.map(({ id }) => id);
  const rows = await database
    .selectFrom("deletions")
    .selectAll()
    .where(({ or, and, eb }) =>
      "undo" in request
        ? or([
            and([eb("id", "=", request.undo.id), eb("kind", "is", null)]),
            and([eb("batch_id", "=", request.undo.id), eb("kind", "is not", null)]),
          ])
        : eb("id", "in", ids),
    )
    .where("expires_at", ">", now)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  if ("undo" in request && rows.length === 0) throw undoNotFound(request.undo.id);
  if (rows.length < ids.length) throw noLongerInTrash(ids, rows);
  return rows;
}

const restoredItem = (id: string, item: ItemRow): Restored => ({
  id,
  kind: "report",
  itemId: item.id,
  name: item.name,
  code: item.current_code,
});

function noLongerInTrash(ids: readonly string[], rows: readonly { id: string }[]) {
  const known = new Set(rows.map(({ id }) => id));
  const position = ids.findIndex((id) => !known.has(id));
  return notFound(
    `ids[${position}] ${quote(ids[position] ?? "")} not found. It may have been restored or purged already.`,
  );
}

const renamed = (item: ItemRow, name: string): ItemRow => ({
  ...item,
  name,
  ...searchColumns({ name, title: item.title }),
});

const shortcutsAs = (shortcuts: Taken["shortcuts"], name: string) =>
  shortcuts.map((shortcut) => (shortcut.kind === "group" ? { ...shortcut, ref: name } : shortcut));

/** Throws `Conflict` with a free name if a name is taken, before anything is inserted. */
async function refuseTakenNames(database: Database, items: readonly ItemRow[]): Promise<void> {
  const names = items.flatMap(({ name }) => (name === null ? [] : [name]));
  const [taken] = await findFreeNames(database, names);
  if (taken === undefined) return;
  const [name, free] = taken;
  throw conflict(
    `The name "${name}" is taken, so nothing was restored. Restore the report under another name, such as "${free}", or rename the other report.`,
  );
}

type Report = Pick<ItemRow, "current_code" | "visibility" | "organization_id">;

/** Makes a version private if its report was shared otherwise since: its owner may not want it shared any more. */
function withVisibility(
  row: VersionRow,
  report: Report | undefined,
  deleted: Snapshot["version"] | undefined,
): VersionRow {
  if (report === undefined) return row;
  const isSame =
    report.visibility === deleted?.reportVisibility && report.organization_id === (deleted.reportOrganization ?? null);
  return isSame ? row : { ...row, visibility: "private", organization_id: null };
}

/** Locks the reports that versions return to, and returns them. Throws `Conflict` if one is missing. */
async function lockReports(
  database: Database,
  workspaceId: string,
  versions: readonly VersionRow[],
  now: Instant,
): Promise<Map<number, Report>> {
  const reports = new Map<number, Report>();
  for (const itemId of [...new Set(versions.map(({ item_id }) => item_id))].toSorted((one, other) => one - other)) {
    const item = await database
      .updateTable("items")
      .set({ updated_at: now })
      .where("id", "=", itemId)
      .where("workspace_id", "=", workspaceId)
      .returning(["current_code", "visibility", "organization_id"])
      .executeTakeFirst();
    if (item === undefined) throw reportGone(versions.find(({ item_id }) => item_id === itemId));
    reports.set(itemId, item);
  }
  return reports;
}

const reportGone = (version: VersionRow | undefined) =>
  conflict(
    `The report of version ${version?.version_no ?? ""} was deleted or moved to another workspace, so nothing was restored. If the report is in the trash, restore it first.`,
  );

async function insertItems(database: Database, items: readonly ItemRow[], now: Instant): Promise<void> {
  const folders = await findExisting(
    database,
    "folders",
    items.map(({ folder_id }) => folder_id),
  );
  for (const item of items) {
    const isFolderGone = item.folder_id !== null && !folders.has(item.folder_id);
    const filed = isFolderGone ? { ...item, folder_id: null, folder_changed_at: now } : item;
    // If the sample was added again, this one becomes a report like any other.
    const row = (await hasSample(database, item)) ? { ...filed, sample: null } : filed;
    try {
      await database.insertInto("items").values(row).execute();
    } catch (error) {
      throw isUniqueViolation(error)
        ? conflict(`The name "${item.name}" is taken, so nothing was restored. Restore the report under another name.`)
        : error;
    }
    await addToIndex(database, { ...item, workspaceId: item.workspace_id });
  }
}

async function hasSample(database: Database, { sample, workspace_id, creator_id }: ItemRow): Promise<boolean> {
  if (sample === null || sample === undefined) return false;
  const known = await database
    .selectFrom("items")
    .select("id")
    .where(({ and }) => and({ workspace_id, creator_id, sample }))
    .executeTakeFirst();
  return known !== undefined;
}

async function claimQuota(
  database: Database,
  { workspaceId, size, quota }: { workspaceId: string; size: number; quota: number },
): Promise<void> {
  const taken = await database
    .updateTable("workspaces")
    .set({ stored_bytes: sql`stored_bytes + ${size}` })
    .where("id", "=", workspaceId)
    .where("stored_bytes", "<=", quota - size)
    .executeTakeFirst();
  if (taken.numUpdatedRows === 0n) {
    throw quotaFull(
      "The workspace's storage quota is full, so nothing was restored. Delete other reports and try again.",
    );
  }
}
