import type { Authorized, FoundVersion, VersionOfItem } from "../../domain/model/access.ts";
import { codeOfOtherReport, itemNotFound, nameTaken, reportNotFound } from "../../domain/model/common-failures.ts";
import type { Folder, Instant, Item, Person, Reader, Tag, Visibility } from "../../domain/model/entities.ts";
import { type ExpectedCode, notAsExpected } from "../../domain/model/expected-code.ts";
import type { RequestedFolder } from "../../domain/model/folders.ts";
import { ALL_ORGANIZATIONS } from "../../domain/sharing/ports.ts";
import { findOrCreateFolder } from "../cabinet/folders.ts";
import { followRename } from "../cabinet/shortcuts.ts";
import { isUniqueViolation } from "../engine/engine.ts";
import type { Database } from "../engine/schema.ts";
import { snapshotOf } from "../engine/snapshot.ts";
import { readableItem } from "../model/readable.ts";
import { byTitle, selectFor, toFound } from "../model/rows.ts";
import { changeInIndex } from "../search/index-item.ts";
import { showCurrentVersion } from "./current-version.ts";

export async function findNamedReport(
  database: Database,
  name: string,
  person?: Person,
): Promise<VersionOfItem | undefined> {
  const row = await selectFor(database, person)
    .where("items.name", "=", name)
    .whereRef("versions.code", "=", "items.current_code")
    .executeTakeFirst();
  return row && toFound(row);
}

/** Returns a named report and its newest versions from one state of the database. */
export async function findNamedReportWithVersions(
  database: Database,
  name: string,
  limit: number,
  isWanted: (found: VersionOfItem) => boolean,
  person?: Person,
): Promise<{ found: VersionOfItem; versions: FoundVersion[] } | undefined> {
  return snapshotOf(database)(async (snapshot) => {
    const found = await findNamedReport(snapshot, name, person);
    if (found === undefined || !isWanted(found)) return undefined;
    const versions = await listVersions(snapshot, { itemId: found.item.id, beforeNo: undefined, limit, person });
    return { found, versions };
  });
}

export async function findVersion(
  database: Database,
  code: string,
  person?: Person,
): Promise<VersionOfItem | undefined> {
  const row = await selectFor(database, person).where("versions.code", "=", code).executeTakeFirst();
  return row && toFound(row);
}

export async function listVersions(
  database: Database,
  page: { itemId: number; beforeNo: number | undefined; limit: number; person?: Person | undefined },
): Promise<FoundVersion[]> {
  const { itemId, beforeNo, limit, person } = page;
  const rows = await selectFor(database, person)
    .where("versions.item_id", "=", itemId)
    .$if(beforeNo !== undefined, (query) => query.where("versions.version_no", "<", beforeNo ?? 0))
    .orderBy("versions.version_no", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const { version, sharing } = toFound(row);
    return { ...version, sharing };
  });
}

export function findFolder(database: Database, folderId: string): Promise<Folder | undefined> {
  return database
    .selectFrom("folders")
    .leftJoin("drawers", "drawers.id", "folders.drawer_id")
    .select(["folders.id", "folders.title", "folders.drawer_id as drawerId", "drawers.title as drawerTitle"])
    .where("folders.id", "=", folderId)
    .executeTakeFirst();
}

export async function listTags(database: Database, itemId: number): Promise<Tag[]> {
  const rows = await database
    .selectFrom("item_tags")
    .innerJoin("tags", "tags.id", "item_tags.tag_id")
    .select(["tags.id", "tags.title", "tags.search_title"])
    .where("item_tags.item_id", "=", itemId)
    .execute();
  return rows.sort(byTitle).map(({ id, title }) => ({ id, title }));
}

export async function rename(
  database: Database,
  { item, newName, now }: { item: Authorized<"modify", Item>; newName: string; now: Instant },
): Promise<void> {
  try {
    const renamed = await database
      .updateTable("items")
      .set({ name: newName, updated_at: now })
      .where("id", "=", item.id)
      .returning(["id", "workspace_id as workspaceId", "title"])
      .executeTakeFirst();
    if (renamed === undefined) throw reportNotFound({ name: item.name ?? "" });
    await changeInIndex(database, { ...renamed, name: newName });
    await followRename(database, { workspaceId: item.workspaceId, from: item.name ?? "", to: newName });
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken(newName) : error;
  }
}

export async function rollBack(
  database: Database,
  change: {
    item: Authorized<"modify", Item>;
    code: string;
    expectedCode: ExpectedCode;
    reader: Reader;
    now: Instant;
  },
): Promise<void> {
  const { item, code, expectedCode, reader, now } = change;
  const currentCode = await lockItem(database, item.id, now);
  if (expectedCode !== undefined && currentCode !== undefined && currentCode !== expectedCode) {
    const isReadable = await isReadableBy(database, item.id, reader);
    throw notAsExpected(item.name ?? "", expectedCode, isReadable ? currentCode : undefined);
  }
  const version = await database
    .selectFrom("versions")
    .select("code")
    .where("code", "=", code)
    .where("item_id", "=", item.id)
    .executeTakeFirst();
  if (version === undefined) throw codeOfOtherReport(code, item.name ?? "");
  await database.updateTable("items").set({ current_code: code }).where("id", "=", item.id).execute();
  await showCurrentVersion(database, item.id);
}

/** Returns whether the reader may still read the item, since access may have changed since the request began. */
async function isReadableBy(database: Database, itemId: number, reader: Reader): Promise<boolean> {
  const item = await database
    .selectFrom("items")
    .select("id")
    .where("id", "=", itemId)
    .where(readableItem(reader))
    .executeTakeFirst();
  return item !== undefined;
}

/**
 * Updates the item's row, which makes concurrent changes of its versions wait. Returns the current code, or undefined
 * if the item no longer exists.
 */
export async function lockItem(database: Database, itemId: number, now: Instant): Promise<string | undefined> {
  const item = await database
    .updateTable("items")
    .set({ updated_at: now })
    .where("id", "=", itemId)
    .returning("current_code")
    .executeTakeFirst();
  return item?.current_code;
}

export async function setItemVisibility(
  database: Database,
  change: {
    item: Authorized<"control", Item>;
    visibility: Visibility;
    organizationId: string | null;
    now: Instant;
  },
): Promise<string[]> {
  const { item, visibility, organizationId, now } = change;
  const shared = { organization_id: organizationId, shared_at: visibility === "org" ? now : null };
  await database
    .updateTable("items")
    .set({ visibility, ...shared, updated_at: now })
    .where("id", "=", item.id)
    .execute();
  const versions = await database
    .updateTable("versions")
    .set({ visibility, organization_id: null })
    .where("item_id", "=", item.id)
    .returning("code")
    .execute();
  if (versions.length === 0) throw reportNotFound({ name: item.name ?? "" });
  await showCurrentVersion(database, item.id);
  return versions.map((version) => version.code);
}

export async function setVersionVisibility(
  database: Database,
  change: {
    found: Authorized<"control", VersionOfItem>;
    visibility: Visibility;
    organizationId: string | null;
    now: Instant;
  },
): Promise<void> {
  const {
    found: { item, version },
    visibility,
    organizationId,
    now,
  } = change;
  const shared = { organization_id: organizationId, shared_at: visibility === "org" ? now : null };
  await database
    .updateTable("items")
    .set(item.name === null ? { visibility, ...shared, updated_at: now } : { updated_at: now })
    .where("id", "=", item.id)
    .execute();
  const ofVersion = visibility === "org" && item.name !== null ? (organizationId ?? ALL_ORGANIZATIONS) : null;
  const changed = await database
    .updateTable("versions")
    .set({ visibility, organization_id: ofVersion })
    .where("code", "=", version.code)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) throw reportNotFound({ code: version.code });
  await showCurrentVersion(database, item.id);
}

export async function setFolder(
  database: Database,
  change: {
    item: Authorized<"modify", Item>;
    folder: RequestedFolder | null;
    now: Instant;
  },
): Promise<void> {
  const { item, folder, now } = change;
  const { workspaceId } = item;
  const requested = folder && { ...folder, workspaceId, now };
  const folderId = requested && (await findOrCreateFolder(database, requested, item.folderId));
  if (folderId === item.folderId) return;
  const filed = await database
    .updateTable("items")
    .set({ folder_id: folderId, folder_changed_at: now })
    .where("id", "=", item.id)
    .executeTakeFirst();
  if (filed.numUpdatedRows === 0n) throw itemNotFound(item);
}
