import { sql } from "kysely";
import type { PublishedObjects } from "../../domain/operations/moving.ts";
import type { Database } from "../engine/schema.ts";
import { decodeObject } from "../model/rows.ts";
import { findLiving } from "./sweep.ts";

const PAGE = 500;

/** Lists the objects that the versions in a database refer to. */
export function listPublished(database: Database): PublishedObjects {
  async function* list(beginning: string) {
    for (let last = ""; ; ) {
      const rows = await database
        .selectFrom("versions")
        .select(["code", "files", "size", "stand_ins"])
        .where(sql`substr(code, 1, 1)`, "=", beginning)
        .where("code", ">", last)
        .orderBy("code")
        .limit(PAGE)
        .execute();
      for (const row of rows) {
        const { files, standIns } = decodeObject(row);
        yield { code: row.code, files: [...files, ...standIns] };
      }
      if (rows.length < PAGE) return;
      last = rows.at(-1)?.code ?? last;
    }
  }

  return { list, isLiving: async (code) => (await findLiving(database, [code])).length > 0 };
}
