import type { Instant } from "../../domain/model/entities.ts";
import type { DisposedItems, TrashBin } from "../../domain/trash/ports.ts";
import { engineOf } from "../engine/engine.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { DESCRIBED, type DescribedVersion, type DiscardedVersion, disposeOfVersions } from "./disposal.ts";
import { findDue, rulesFor, withTags } from "./due-versions.ts";
import { readRules } from "./rules.ts";

interface Application {
  workspaceId: string;
  codes: readonly string[];
  bin: TrashBin | undefined;
  now: Instant;
}

const selectDescribed = prepared((database, codes: string) =>
  database
    .selectFrom("versions")
    .select(DESCRIBED)
    .where(({ ref }) => engineOf(database).isInTextList(ref("code"), codes)),
);

/** Deletes those of the versions that the rules of their workspace don't keep. Finds them again under a lock. */
export async function applyRetention(database: Database, application: Application): Promise<DisposedItems> {
  const { workspaceId, codes, bin, now } = application;
  const candidates = await selectDescribed(database, JSON.stringify(codes));
  const items = await lockItems(database, workspaceId, candidates);
  const rules = await readRules(database, workspaceId);
  const versions: DiscardedVersion[] = [];
  for (const item of items) {
    const own = candidates.filter(({ item_id }) => item_id === item.id).toSorted((a, b) => a.version_no - b.version_no);
    const limits = { rules: rulesFor(item, rules), afterNo: (own[0]?.version_no ?? 0) - 1, limit: codes.length, now };
    const due = new Set((await findDue(database, item, limits)).map(({ code }) => code));
    const gone = own.filter(({ code }) => due.has(code));
    versions.push(...gone.map((version) => ({ item, version, succeededBy: undefined })));
  }
  if (versions.length === 0) return { itemIds: [], codes: [], purged: [] };
  const userId = versions[0]?.item.creator_id ?? "";
  return disposeOfVersions(database, {
    discarded: { workspaceId, bin, userId, now, reason: "retention" },
    versions,
  });
}

/** Locks the reports of versions, whose tags, folders and versions then stay as they are. */
async function lockItems(database: Database, workspaceId: string, versions: readonly DescribedVersion[]) {
  const ids = [...new Set(versions.map(({ item_id }) => item_id))];
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
