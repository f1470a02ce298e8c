import type { Database } from "../engine/schema.ts";
import { inChunks } from "./belongings.ts";
import type { ItemRow, ShortcutRow, VersionRow } from "./snapshots.ts";

type Named = Pick<ItemRow, "id" | "name">;
type Coded = Pick<VersionRow, "code">;

/** Returns the shortcuts that lead to items. */
export async function findShortcuts(
  database: Database,
  workspaceId: string,
  items: readonly Named[],
  versions: readonly Coded[],
): Promise<ShortcutRow[]> {
  const found: ShortcutRow[] = [];
  const find = (kind: "group" | "report", refs: readonly string[]) =>
    inChunks(refs, async (chunk) => {
      const rows = await database
        .selectFrom("shortcuts")
        .selectAll()
        .where("workspace_id", "=", workspaceId)
        .where("kind", "=", kind)
        .where("ref", "in", chunk)
        .execute();
      found.push(...rows);
    });
  await find(
    "group",
    items.flatMap(({ name }) => (name === null ? [] : [name])),
  );
  await find(
    "report",
    versions.map(({ code }) => code),
  );
  return found;
}

/** Returns those of the shortcuts that lead to one item. */
export function shortcutsOf(
  shortcuts: readonly ShortcutRow[],
  { name }: Named,
  versions: readonly Coded[],
): ShortcutRow[] {
  const codes = new Set(versions.map(({ code }) => code));
  return shortcuts.filter(({ kind, ref }) => (kind === "group" ? ref === name : codes.has(ref)));
}

/** Removes shortcuts to deleted reports, because they would otherwise lead to the next report with the same name. */
export async function removeShortcuts(database: Database, shortcuts: readonly ShortcutRow[]): Promise<void> {
  for (const { user_id, workspace_id, kind, ref } of shortcuts) {
    await database
      .deleteFrom("shortcuts")
      .where(({ and }) => and({ user_id, workspace_id, kind, ref }))
      .execute();
  }
}

/** Restores the shortcuts of users who are still members. */
export async function restoreShortcuts(
  database: Database,
  workspaceId: string,
  shortcuts: readonly ShortcutRow[],
): Promise<void> {
  if (shortcuts.length === 0) return;
  const members = await database
    .selectFrom("memberships")
    .select("user_id")
    .where("workspace_id", "=", workspaceId)
    .execute();
  const userIds = new Set(members.map(({ user_id }) => user_id));
  await inChunks(
    shortcuts.filter(({ user_id }) => userIds.has(user_id)),
    async (chunk) => {
      await database
        .insertInto("shortcuts")
        .values(chunk)
        .onConflict((known) => known.columns(["user_id", "workspace_id", "kind", "ref"]).doNothing())
        .execute();
    },
  );
}
