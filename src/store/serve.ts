import type { Visibility } from "../domain/model.ts";
import type { ServedVersion } from "../domain/ports.ts";
import { decodeFiles } from "./rows.ts";
import type { Database } from "./schema.ts";

export async function findServed(database: Database, code: string): Promise<ServedVersion | undefined> {
  const row = await database
    .selectFrom("versions")
    .select(["visibility", "files"])
    .where("code", "=", code)
    .executeTakeFirst();
  return row && { visibility: row.visibility, files: decodeFiles(row.files) };
}

export async function findVisibility(database: Database, code: string): Promise<Visibility | undefined> {
  const row = await database.selectFrom("versions").select("visibility").where("code", "=", code).executeTakeFirst();
  return row?.visibility;
}
