import type { FoundItem, RequestedItems } from "../../domain/search/ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { Database } from "../engine/schema.ts";
import { readableItem, readableVersion } from "../model/readable.ts";
import { describeItems } from "./describe.ts";

/** Returns reports of a workspace that names and codes of versions refer to, in that order, each once. */
export async function findItems(database: Database, engine: Engine, requested: RequestedItems): Promise<FoundItem[]> {
  const named = await findNamed(database, engine, requested);
  const coded = await findCoded(database, engine, requested);
  const ids = [
    ...requested.names.map((name) => named.get(name)),
    ...requested.codes.map((code) => coded.get(code)),
  ].filter((id) => id !== undefined);
  return describeItems(database, engine, [...new Set(ids)]);
}

async function findNamed(database: Database, engine: Engine, { workspaceId, reader, names }: RequestedItems) {
  if (names.length === 0) return new Map<string | null, number>();
  const rows = await database
    .selectFrom("items")
    .select(["id", "name"])
    .where("workspace_id", "=", workspaceId)
    .where(({ ref }) => engine.isOneOfTexts(ref("name"), names))
    .where(readableItem(reader))
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

async function findCoded(database: Database, engine: Engine, { workspaceId, reader, codes }: RequestedItems) {
  if (codes.length === 0) return new Map<string, number>();
  const rows = await database
    .selectFrom("versions")
    .innerJoin("items", "items.id", "versions.item_id")
    .select(["items.id", "versions.code"])
    .where("items.workspace_id", "=", workspaceId)
    .where(({ ref }) => engine.isOneOfTexts(ref("versions.code"), codes))
    .where(readableItem(reader))
    .where(readableVersion(reader))
    .execute();
  return new Map(rows.map(({ id, code }) => [code, id]));
}
