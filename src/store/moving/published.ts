import { sql } from "kysely";
import type { PublishedObjects } from "../../domain/moving.ts";
import { decodeFiles } from "../rows.ts";
import type { Database } from "../schema.ts";
import { findLiving } from "../sweep.ts";

const PAGE = 500;

/** What the versions in a database say of their objects. */
export function listPublished(database: Database): PublishedObjects {
  async function* list(beginning: string) {
    for (let last = ""; ; ) {
      const rows = await database
        .selectFrom("versions")
        .select(["code", "files"])
        .where(sql`substr(code, 1, 1)`, "=", beginning)
        .where("code", ">", last)
        .orderBy("code")
        .limit(PAGE)
        .execute();
      for (const { code, files } of rows) yield { code, files: decodeFiles(files) };
      if (rows.length < PAGE) return;
      last = rows.at(-1)?.code ?? last;
    }
  }

  return { list, isLiving: async (code) => (await findLiving(database, [code])).length > 0 };
}
