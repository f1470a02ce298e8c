import { readTaxonomy } from "../cabinet/taxonomy.ts";
import { countReadableVersions, listReadableVersions } from "../reports/details.ts";
import { search } from "../search/search.ts";
import type { Engine } from "./engine.ts";
import type { Database } from "./schema.ts";

/**
 * Reads that take longer than the event loop should be held. Each takes plain data and gives plain data back, so that it
 * can run in a thread of its own.
 */
const longReads = {
  search,
  readTaxonomy: (database: Database, _: Engine, seen: Parameters<typeof readTaxonomy>[1]) =>
    readTaxonomy(database, seen),
  countReadableVersions: (database: Database, _: Engine, readable: Parameters<typeof countReadableVersions>[1]) =>
    countReadableVersions(database, readable),
  listReadableVersions: (database: Database, _: Engine, page: Parameters<typeof listReadableVersions>[1]) =>
    listReadableVersions(database, page),
};

type LongReads = typeof longReads;
export type LongReadName = keyof LongReads;
export type LongReadInput<Name extends LongReadName> = Parameters<LongReads[Name]>[2];
export type LongReadOutput<Name extends LongReadName> = Awaited<ReturnType<LongReads[Name]>>;

export type ReadLong = <Name extends LongReadName>(
  name: Name,
  input: LongReadInput<Name>,
) => Promise<LongReadOutput<Name>>;

export function performRead<Name extends LongReadName>(
  database: Database,
  engine: Engine,
  name: Name,
  input: LongReadInput<Name>,
): Promise<LongReadOutput<Name>> {
  // The compiler cannot tie one member's input to the same member's output across a union of functions.
  const read = longReads[name] as unknown as (
    database: Database,
    engine: Engine,
    input: LongReadInput<Name>,
  ) => Promise<LongReadOutput<Name>>;
  return read(database, engine, input);
}
