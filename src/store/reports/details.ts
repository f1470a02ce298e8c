import type { DetailedVersion, VersionReader, VersionRemarks } from "../../domain/reports/ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { Database } from "../engine/schema.ts";
import { findCreators } from "../model/labels.ts";
import { readableVersionFor } from "../model/readable.ts";
import { decodeFiles, decodeWarnings, storageMode } from "../model/rows.ts";

interface Readable {
  itemId: number;
  reader: VersionReader;
}

const selectReadable = (database: Database, { itemId, reader }: Readable) =>
  database
    .selectFrom("versions")
    .innerJoin("items", "items.id", "versions.item_id")
    .innerJoin("workspaces", "workspaces.id", "items.workspace_id")
    .where("versions.item_id", "=", itemId)
    .where(readableVersionFor(reader));

export async function countReadableVersions(database: Database, _: Engine, readable: Readable): Promise<number> {
  const { count } = await selectReadable(database, readable)
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** Lists versions, newest first. */
export async function listReadableVersions(
  database: Database,
  _: Engine,
  { beforeNo, limit, ...readable }: Readable & { beforeNo: number | undefined; limit: number },
): Promise<DetailedVersion[]> {
  const rows = await selectReadable(database, readable)
    .leftJoin("thumbnails", "thumbnails.code", "versions.code")
    .select([
      "versions.code",
      "versions.creator_id as creatorId",
      "versions.version_no as versionNo",
      "versions.title",
      "versions.note",
      "versions.visibility",
      "versions.size",
      "versions.files",
      "thumbnails.digest as thumbnail",
      storageMode,
      "versions.created_at as createdAt",
    ])
    .$if(beforeNo !== undefined, (query) => query.where("versions.version_no", "<", beforeNo ?? 0))
    .orderBy("versions.version_no", "desc")
    .limit(limit)
    .execute();
  const creators = await findCreators(database, new Set(rows.map(({ creatorId }) => creatorId)));
  return rows.map(({ files, ...row }) => ({
    ...row,
    fileCount: decodeFiles(files).length,
    creator: creators.get(row.creatorId) ?? null,
  }));
}

/** Returns the note of a version and the warnings that its publish returned. */
export async function findRemarks(database: Database, code: string): Promise<VersionRemarks | undefined> {
  const row = await database
    .selectFrom("versions")
    .select(["note", "warnings"])
    .where("code", "=", code)
    .executeTakeFirst();
  return row && { note: row.note, warnings: decodeWarnings(row.warnings) };
}
