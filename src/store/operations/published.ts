import { sql } from "kysely";
import type { PublishedObject, PublishedObjects } from "../../domain/operations/moving.ts";
import type { Database } from "../engine/schema.ts";
import { decodeObject } from "../model/rows.ts";
import { findLiving } from "./sweep.ts";

const PAGE = 500;
const COLUMNS = ["code", "files", "size", "stand_ins"] as const;

function toObject(row: { code: string } & Parameters<typeof decodeObject>[0]): PublishedObject {
  const { files, standIns } = decodeObject(row);
  return { code: row.code, files: [...files, ...standIns] };
}

/** Returns objects in the order of their codes, starting after `after`. */
export async function listPublishedAfter(database: Database, after: string, limit: number): Promise<PublishedObject[]> {
  const page = database.selectFrom("versions").select(COLUMNS).where("code", ">", after).orderBy("code").limit(limit);
  return (await page.execute()).map(toObject);
}

/** Returns the object of a version; undefined if there is no such version. */
export async function findPublishedObject(database: Database, code: string): Promise<PublishedObject | undefined> {
  const row = await database.selectFrom("versions").select(COLUMNS).where("code", "=", code).executeTakeFirst();
  return row && toObject(row);
}

/** Lists the objects that the versions in a database refer to. */
export function listPublished(database: Database): PublishedObjects {
  async function* list(beginning: string) {
    for (let last = ""; ; ) {
      const rows = await database
        .selectFrom("versions")
        .select(COLUMNS)
        .where(sql`substr(code, 1, 1)`, "=", beginning)
        .where("code", ">", last)
        .orderBy("code")
        .limit(PAGE)
        .execute();
      yield* rows.map(toObject);
      if (rows.length < PAGE) return;
      last = rows.at(-1)?.code ?? last;
    }
  }

  return { list, isLiving: async (code) => (await findLiving(database, [code])).length > 0 };
}
