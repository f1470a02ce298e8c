import type { Instant } from "../../domain/model/entities.ts";
import type { DisposedItems, TrashBin } from "../../domain/trash/ports.ts";
import { engineOf } from "../engine/engine.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { type DiscardedVersion, disposeOfVersions } from "./disposal.ts";
import { findDue, rulesFor, withTags } from "./due-versions.ts";
import { readRules } from "./rules.ts";

interface Application {
  workspaceId: string;
  codes: readonly string[];
  bin: TrashBin | undefined;
  now: Instant;
}

const selectItems = prepared((database, codes: string) =>
  database
    .selectFrom("versions")
    .select(({ fn }) => ["item_id", fn.min("version_no").as("first")])
    .where(({ ref }) => engineOf(database).isInTextList(ref("code"), codes))
    .groupBy("item_id"),
);

/** Deletes those of the versions that the rules of their workspace don't keep. Finds them again under a lock. */
export async function applyRetention(database: Database, application: Application): Promise<DisposedItems> {
  const { workspaceId, codes, bin, now } = application;
  const wanted = new Set(codes);
  const found = await selectItems(database, JSON.stringify(codes));
  const firsts = new Map(found.map(({ item_id, first }) => [item_id, first]));
  const items = await lockItems(database, workspaceId, [...firsts.keys()]);
  const rules = await readRules(database, workspaceId);
  const versions: DiscardedVersion[] = [];
  for (const item of items) {
    const afterNo = (firsts.get(item.id) ?? 0) - 1;
    const due = await findDue(database, item.id, { rules: rulesFor(item, rules), afterNo, limit: codes.length, now });
    for (const version of due) if (wanted.has(version.code)) versions.push({ item, version, succeededBy: undefined });
  }
  if (versions.length === 0) return { itemIds: [], codes: [], purged: [] };
  const userId = items[0]?.creator_id ?? "";
  return disposeOfVersions(database, {
    discarded: { workspaceId, bin, userId, now, reason: "retention" },
    versions,
  });
}

/** Locks reports, whose tags, folders and versions then stay as they are. */
async function lockItems(database: Database, workspaceId: string, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const rows = await database
    .selectFrom("items")
    .select(["id", "name", "creator_id", "visibility", "organization_id", "folder_id as folderId"])
    .where("id", "in", ids)
    .where("workspace_id", "=", workspaceId)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  const tagged = await withTags(database, rows);
  return rows.map((row, position) => ({ ...row, tagIds: tagged[position]?.tagIds ?? [] }));
}
