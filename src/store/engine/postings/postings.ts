import { type RawBuilder, sql } from "kysely";
import { engineOf } from "../engine.ts";
import type { Database } from "../schema.ts";

/** The items with one term in one block, as the index stores them. */
export interface Posting {
  block: number;
  term: number;
  ids: Uint8Array;
}

const isPostgres = (database: Database) => engineOf(database).name === "postgres";

/** Returns `from` and `where` for the postings of terms in blocks. Each one is looked up. */
export function postingsAt(
  database: Database,
  blocks: readonly number[],
  terms: readonly number[],
): RawBuilder<unknown> {
  const sorted = terms.toSorted((one, other) => one - other);
  if (isPostgres(database)) {
    return sql`from search_postings
      where block = any(${`{${blocks.join(",")}}`}::integer[]) and term = any(${`{${sorted.join(",")}}`}::integer[])`;
  }
  return sql`from json_each(${JSON.stringify(blocks)}) as blocks cross join json_each(${JSON.stringify(sorted)}) as terms
    cross join search_postings on block = blocks.value and term = terms.value where 1 = 1`;
}

/** Returns a query for the total size of each term's lists in blocks, in bytes. Terms without any may lack a row. */
export function sizesAt(
  database: Database,
  blocks: readonly number[],
  terms: readonly number[],
): RawBuilder<{ term: number; bytes: number }> {
  if (isPostgres(database)) {
    return sql`select term, sum(octet_length(ids)) as bytes ${postingsAt(database, blocks, terms)} group by term`;
  }
  // Not grouped, because SQLite would read the lists to sort them.
  return sql`select terms.value as term, (
      select coalesce(sum(octet_length(ids)), 0) from json_each(${JSON.stringify(blocks)}) as blocks
        cross join search_postings on block = blocks.value and term = terms.value
    ) as bytes from json_each(${JSON.stringify(terms)}) as terms`;
}

/** Adds ids to postings, and returns the new sizes in bytes. */
export async function appendPostings(
  database: Database,
  postings: readonly Posting[],
): Promise<{ block: number; term: number; bytes: number }[]> {
  if (postings.length === 0) return [];
  const list = JSON.stringify(postings.map(({ block, term, ids }) => [block, term, Buffer.from(ids).toString("hex")]));
  const { rows } = isPostgres(database)
    ? await sql<{ block: number; term: number; bytes: number }>`
      insert into search_postings (block, term, ids)
      select (value ->> 0)::integer, (value ->> 1)::integer, decode(value ->> 2, 'hex')
      from json_array_elements(${list}::json) as given (value)
      on conflict (term, block) do update set ids = search_postings.ids || excluded.ids
      returning block, term, octet_length(ids) as bytes`.execute(database)
    : await sql<{ block: number; term: number; bytes: number }>`
      insert into search_postings (block, term, ids)
      select value ->> 0, value ->> 1, unhex(value ->> 2) from json_each(${list}) where true
      on conflict (block, term) do update set ids = cast(search_postings.ids || excluded.ids as blob)
      returning block, term, octet_length(ids) as bytes`.execute(database);
  return rows;
}

/** An arbitrary number, the same in all replicas. */
const INDEX_LOCK = 7_140_023;

/** Excludes other replicas from changing the index until the transaction ends. SQLite has one writer anyway. */
export async function lockPostings(database: Database): Promise<void> {
  if (isPostgres(database)) await sql`select pg_advisory_xact_lock(${INDEX_LOCK})`.execute(database);
}
