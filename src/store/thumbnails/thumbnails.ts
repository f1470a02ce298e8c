import type { Authorized } from "../../domain/model/access.ts";
import type { Instant, Item } from "../../domain/model/entities.ts";
import type { Thumbnail } from "../../domain/thumbnails/ports.ts";
import type { Database } from "../engine/schema.ts";

export async function setThumbnail(
  database: Database,
  change: { item: Authorized<"modify", Item>; code: string; thumbnail: Thumbnail; now: Instant },
): Promise<boolean> {
  const { item, code, thumbnail, now } = change;
  // A deletion waits for this row, and then also finds the thumbnail.
  const version = await database
    .selectFrom("versions")
    .select("code")
    .where("code", "=", code)
    .where("item_id", "=", item.id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (version === undefined) return false;
  const row = {
    digest: thumbnail.digest,
    media_type: thumbnail.type,
    created_at: now,
    image: thumbnail.image,
  };
  await database
    .insertInto("thumbnails")
    .values({ code, ...row })
    .onConflict((known) => known.column("code").doUpdateSet(row))
    .execute();
  return true;
}

export async function findThumbnail(database: Database, code: string): Promise<Thumbnail | undefined> {
  return database
    .selectFrom("thumbnails")
    .select(["media_type as type", "digest", "image"])
    .where("code", "=", code)
    .executeTakeFirst();
}

export async function findThumbnailed(database: Database, codes: readonly string[]): Promise<string[]> {
  if (codes.length === 0) return [];
  const rows = await database
    .selectFrom("thumbnails")
    .select("code")
    .where("code", "in", [...codes])
    .execute();
  return rows.map(({ code }) => code);
}
