import type { ServedState, ServedVersion } from "../../domain/reports/ports.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { decodeObject, storageMode } from "../model/rows.ts";

const selectServed = prepared((database, code: string) =>
  database
    .selectFrom("versions")
    .innerJoin("items", "items.id", "versions.item_id")
    .select([
      "versions.visibility",
      "versions.files",
      "versions.size",
      "versions.stand_ins",
      "items.workspace_id as workspaceId",
      storageMode,
    ])
    .where("versions.code", "=", code),
);

export async function findServed(database: Database, code: string): Promise<ServedVersion | undefined> {
  const [row] = await selectServed(database, code);
  if (row === undefined) return undefined;
  const { visibility, storage, workspaceId } = row;
  return { visibility, storage, workspaceId, ...decodeObject(row) };
}

const selectServedState = prepared((database, code: string) =>
  database.selectFrom("versions").select(["visibility", storageMode]).where("code", "=", code),
);

export async function findServedState(database: Database, code: string): Promise<ServedState | undefined> {
  const [row] = await selectServedState(database, code);
  return row;
}
