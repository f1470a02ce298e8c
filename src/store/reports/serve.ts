import type { Visibility } from "../../domain/model/entities.ts";
import type { ServedVersion } from "../../domain/reports/ports.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { decodeObject } from "../model/rows.ts";

const selectServed = prepared((database, code: string) =>
  database.selectFrom("versions").select(["visibility", "files", "size", "stand_ins"]).where("code", "=", code),
);

export async function findServed(database: Database, code: string): Promise<ServedVersion | undefined> {
  const [row] = await selectServed(database, code);
  if (row === undefined) return undefined;
  return { visibility: row.visibility, ...decodeObject(row) };
}

const selectVisibility = prepared((database, code: string) =>
  database.selectFrom("versions").select("visibility").where("code", "=", code),
);

export async function findVisibility(database: Database, code: string): Promise<Visibility | undefined> {
  const [row] = await selectVisibility(database, code);
  return row?.visibility;
}
