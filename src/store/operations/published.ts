import { sql } from "kysely";
import type { PublishedObject, PublishedObjects } from "../../domain/operations/moving.ts";
import type { Database } from "../engine/schema.ts";
import { decodeObject } from "../model/rows.ts";
import { findLiving } from "./sweep.ts";

const PAGE = 500;
const COLUMNS = ["code", "files", "size", "stand_ins"] as const;

function toObject(row: VersionRow): PublishedObject {
  const { files, standIns } = decodeObject(row);
  return { code: row.code, files: [...files, ...standIns] };
}

/** Selects the objects of all versions, those in the trash included. */
const selectObjects = (database: Database) =>
  database
    .selectFrom(
      database
        .selectFrom("versions")
        .select(COLUMNS)
        .unionAll(database.selectFrom("trashed_versions").select(COLUMNS))
        .as("objects"),
    )
    .select(COLUMNS);

/** Returns objects in the order of their codes, starting after `after`. */
export async function listPublishedAfter(database: Database, after: string, limit: number): Promise<PublishedObject[]> {
  const page = selectObjects(database).where("code", ">", after).orderBy("code").limit(limit);
  return (await page.execute()).map(toObject);
}

/** Returns the object of a version; undefined if there is no such version, not even in the trash. */
export async function findPublishedObject(database: Database, code: string): Promise<PublishedObject | undefined> {
  const row = await selectObjects(database).where("code", "=", code).executeTakeFirst();
  return row && toObject(row);
}

interface Options {
  /** Whether the database orders text by code point, so that an index finds the codes that begin with a character. */
  isSortedByCodePoint?: boolean;
}

/** Lists the objects that a database refers to: those of versions, and those in the trash. */
export function listPublished(database: Database, { isSortedByCodePoint = false }: Options = {}): PublishedObjects {
  async function* list(beginning: string) {
    for (const table of ["versions", "trashed_versions"] as const) {
      for (let last = isSortedByCodePoint ? beginning : ""; ; ) {
        const rows = await database
          .selectFrom(table)
          .select(COLUMNS)
          .where(sql`substr(code, 1, 1)`, "=", beginning)
          .where("code", ">", last)
          .$if(isSortedByCodePoint, (query) => query.where("code", "<", `${beginning}~`))
          .orderBy("code")
          .limit(PAGE)
          .execute();
        yield* rows.map(toObject);
        if (rows.length < PAGE) break;
        last = rows.at(-1)?.code ?? last;
      }
    }
    yield* listFormer(database, beginning);
  }

  return { list, isLiving: async (code) => (await findLiving(database, [code])).length > 0 };
}

/** Lists the objects of deletions by the release before, which expire within minutes. */
async function* listFormer(database: Database, beginning: string): AsyncGenerator<PublishedObject> {
  for (let last = ""; ; ) {
    const deletion = await database
      .selectFrom("deletions")
      .select(["id", "snapshot"])
      .where("kind", "is", null)
      .where("id", ">", last)
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();
    if (deletion === undefined) return;
    const { versions = [] }: { versions?: VersionRow[] } = JSON.parse(deletion.snapshot);
    for (const version of versions) if (version.code.startsWith(beginning)) yield toObject(version);
    last = deletion.id;
  }
}

interface VersionRow {
  code: string;
  files: string;
  size: number;
  stand_ins: string | null;
}
