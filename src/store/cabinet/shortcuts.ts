import type { ListedShortcut } from "../../domain/cabinet/ports.ts";
import type { Authorized } from "../../domain/model/access.ts";
import { idNotFound } from "../../domain/model/common-failures.ts";
import type { Instant, Membership, Shortcut } from "../../domain/model/entities.ts";
import { titleOf } from "../../domain/model/titles.ts";
import type { Database } from "../engine/schema.ts";
import { selectVersionOfItem, toVersionOfItem } from "../model/rows.ts";

interface OwnedShortcut extends Shortcut {
  workspace: Authorized<"modify", Membership>;
  userId: string;
}

interface ShortcutOwner {
  workspaceId: string;
  userId: string;
}

interface DatedShortcut extends ListedShortcut {
  addedAt: Instant;
}

const KIND_NAMES = { drawer: "Drawer", folder: "Folder", tag: "Tag" } as const;
const TABLES = { drawer: "drawers", folder: "folders", tag: "tags" } as const;

export async function listShortcuts(database: Database, owner: ShortcutOwner): Promise<ListedShortcut[]> {
  const lists = await Promise.all([
    listCabinetShortcuts(database, owner),
    listReportShortcuts(database, owner, "group"),
    listReportShortcuts(database, owner, "report"),
  ]);
  return lists
    .flat()
    .sort((a, b) => a.addedAt - b.addedAt || (a.ref < b.ref ? -1 : 1))
    .map(({ kind, ref, title, found }) => ({ kind, ref, title, found }));
}

/** Lists shortcuts to drawers, folders and tags. Joins by id alone, because ids of different kinds never collide. */
async function listCabinetShortcuts(
  database: Database,
  { workspaceId, userId }: ShortcutOwner,
): Promise<DatedShortcut[]> {
  const rows = await database
    .selectFrom("shortcuts")
    .leftJoin("drawers", "drawers.id", "shortcuts.ref")
    .leftJoin("folders", "folders.id", "shortcuts.ref")
    .leftJoin("tags", "tags.id", "shortcuts.ref")
    .select(({ fn }) => [
      "shortcuts.kind",
      "shortcuts.ref",
      "shortcuts.created_at as addedAt",
      fn.coalesce("drawers.title", "folders.title", "tags.title").as("title"),
    ])
    .where("shortcuts.user_id", "=", userId)
    .where("shortcuts.workspace_id", "=", workspaceId)
    .where("shortcuts.kind", "in", ["drawer", "folder", "tag"])
    .execute();
  return rows.flatMap(({ title, ...row }) => (title === null ? [] : [{ ...row, title, found: undefined }]));
}

async function listReportShortcuts(
  database: Database,
  { workspaceId, userId }: ShortcutOwner,
  kind: "group" | "report",
): Promise<DatedShortcut[]> {
  const rows = await selectVersionOfItem(database)
    .innerJoin("shortcuts", (join) =>
      kind === "group"
        ? join.onRef("shortcuts.ref", "=", "items.name").onRef("versions.code", "=", "items.current_code")
        : join.onRef("shortcuts.ref", "=", "versions.code"),
    )
    .select(["shortcuts.ref", "shortcuts.created_at as addedAt"])
    .where("shortcuts.user_id", "=", userId)
    .where("shortcuts.workspace_id", "=", workspaceId)
    .where("shortcuts.kind", "=", kind)
    .where("items.workspace_id", "=", workspaceId)
    .execute();
  return rows.map((row) => {
    const found = toVersionOfItem(row);
    return { kind, ref: row.ref, title: titleOf(found), addedAt: row.addedAt, found };
  });
}

export async function addShortcut(database: Database, shortcut: OwnedShortcut & { now: Instant }): Promise<void> {
  const { workspace, userId, kind, ref, now } = shortcut;
  await requireTarget(database, workspace.id, shortcut);
  await database
    .insertInto("shortcuts")
    .values({ user_id: userId, workspace_id: workspace.id, kind, ref, created_at: now })
    .onConflict((taken) => taken.columns(["user_id", "workspace_id", "kind", "ref"]).doNothing())
    .execute();
}

/** Throws `NotFound` if a drawer, folder or tag does not exist. The caller has already checked access to reports. */
async function requireTarget(database: Database, workspaceId: string, { kind, ref }: Shortcut): Promise<void> {
  if (kind === "group" || kind === "report") return;
  const target = await database
    .selectFrom(TABLES[kind])
    .select("id")
    .where("id", "=", ref)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  if (target === undefined) throw idNotFound(KIND_NAMES[kind], ref);
}

export async function removeShortcut(
  database: Database,
  { workspace, userId, kind, ref }: OwnedShortcut,
): Promise<boolean> {
  const removed = await database
    .deleteFrom("shortcuts")
    .where("user_id", "=", userId)
    .where("workspace_id", "=", workspace.id)
    .where("kind", "=", kind)
    .where("ref", "=", ref)
    .executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

/** Points shortcuts to a renamed report at its new name. Removes existing shortcuts to that name, which are stale. */
export async function followRename(
  database: Database,
  { workspaceId, from, to }: { workspaceId: string; from: string; to: string },
): Promise<void> {
  if (from === to) return;
  const ofGroups = { workspace_id: workspaceId, kind: "group" as const };
  await database
    .deleteFrom("shortcuts")
    .where(({ and }) => and({ ...ofGroups, ref: to }))
    .execute();
  await database
    .updateTable("shortcuts")
    .set({ ref: to })
    .where(({ and }) => and({ ...ofGroups, ref: from }))
    .execute();
}
