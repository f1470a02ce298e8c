import type { Authorized, Deletion, TrashedItem, TrashView } from "../../domain/model/access.ts";
import type { TrashEntry, TrashPlace } from "../../domain/trash/ports.ts";
import type { Database } from "../engine/schema.ts";
import { findCreators } from "../model/labels.ts";
import { inChunks } from "./belongings.ts";
import { findFreeNames } from "./free-names.ts";
import { isShown } from "./view.ts";

/** Returns the deletion with this id, or that which this id undoes, with all its entries. */
export async function findDeletion(database: Database, id: string): Promise<Deletion | undefined> {
  const row = await database
    .selectFrom("deletions")
    .select(["workspace_id as workspaceId", "user_id as userId"])
    .where(({ or, and, eb }) =>
      or([
        and([eb("id", "=", id), eb("kind", "is", null)]),
        and([eb("batch_id", "=", id), eb("kind", "is not", null)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row && { id, ...row };
}

export async function findTrashed(database: Database, ids: readonly string[]): Promise<TrashedItem[]> {
  const found: TrashedItem[] = [];
  await inChunks(ids, async (chunk) => {
    const rows = await database
      .selectFrom("deletions")
      .select(["id", "workspace_id", "item_id", "creator_id", "version_creator_id"])
      .where("id", "in", chunk)
      .where("kind", "is not", null)
      .execute();
    found.push(...rows.map(toTrashed));
  });
  return found;
}

interface TrashedRow {
  id: string;
  workspace_id: string;
  item_id: number | null;
  creator_id: string | null;
  version_creator_id: string | null;
}

const toTrashed = ({ id, workspace_id, item_id, creator_id, version_creator_id }: TrashedRow): TrashedItem => ({
  id,
  workspaceId: workspace_id,
  itemId: item_id ?? 0,
  creatorIds: [creator_id, version_creator_id].filter((creator) => creator !== null),
});

export async function listTrash(
  database: Database,
  page: {
    view: Authorized<"control", TrashView>;
    name: string | undefined;
    code: string | undefined;
    after: TrashPlace | undefined;
    limit: number;
  },
): Promise<TrashEntry[]> {
  const { view, name, code, after, limit } = page;
  const rows = await database
    .selectFrom("deletions")
    .selectAll()
    .where(isShown(view))
    .$if(name !== undefined, (query) => query.where("name", "=", name ?? ""))
    .$if(code !== undefined, (query) =>
      query.where("id", "in", (ids) =>
        ids
          .selectFrom("trashed_versions")
          .select("deletion_id")
          .where("trashed_versions.code", "=", code ?? ""),
      ),
    )
    .$if(after !== undefined, (query) =>
      query.where(({ or, and, eb }) =>
        or([
          eb("deleted_at", "<", after?.deletedAt ?? 0),
          and([eb("deleted_at", "=", after?.deletedAt ?? 0), eb("id", "<", after?.id ?? "")]),
        ]),
      ),
    )
    .orderBy("deleted_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  const people = await findCreators(database, new Set(rows.map(({ user_id }) => user_id)));
  const names = rows.flatMap(({ kind, name }) => (kind === "report" && name !== null ? [name] : []));
  const freeNames = await findFreeNames(database, names);
  return rows.map((row) => ({
    ...toTrashed(row),
    kind: row.kind ?? "report",
    reason: row.reason ?? "user",
    deletedBy: row.reason === "retention" ? null : (people.get(row.user_id) ?? null),
    name: row.name,
    code: row.code ?? "",
    title: row.title ?? "",
    versionNo: row.version_no,
    versions: row.versions ?? 0,
    size: row.size ?? 0,
    deletedAt: row.deleted_at ?? 0,
    expiresAt: row.expires_at,
    freeName: row.kind === "report" && row.name !== null ? (freeNames.get(row.name) ?? null) : null,
  }));
}

export async function measureTrash(database: Database, workspaceId: string): Promise<number> {
  const trash = await database
    .selectFrom("trash_sizes")
    .select("bytes")
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return trash?.bytes ?? 0;
}
