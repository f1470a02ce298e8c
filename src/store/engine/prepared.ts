import type { Compilable, CompiledQuery, DialectAdapter, InsertObject } from "kysely";
import type { Engine } from "./engine.ts";
import type { Database, Schema } from "./schema.ts";

/** Begins the text of every prepared query, which tells it from those that are built for each call. */
export const PREPARED_MARK = "/* prepared */ ";

/**
 * Prepares a query for a hot path: its text is built once for each database, because building takes longer than running
 * it. The inputs have to be the query's parameters, in their order.
 */
export function prepared<Input extends readonly unknown[], Row>(
  build: (database: Database, ...input: Input) => Compilable<Row>,
): (database: Database, ...input: Input) => Promise<Row[]> {
  const execute = createExecutor<Row>();
  return (database, ...input) => execute(database, input, () => build(database, ...input));
}

/** Prepares the insertion of one row of plain values, which always has the same columns in the same order. */
export function preparedInsert<Table extends keyof Schema>(
  table: Table,
): (database: Database, row: InsertObject<Schema, Table>) => Promise<unknown> {
  const execute = createExecutor<unknown>();
  return (database, row) => execute(database, Object.values(row), () => database.insertInto(table).values(row));
}

function createExecutor<Row>() {
  // Transactions and connections share the adapter of their database.
  const built = new WeakMap<DialectAdapter, CompiledQuery<Row>>();

  function compile(database: Database, input: readonly unknown[], build: () => Compilable<Row>): CompiledQuery<Row> {
    const compiled = build().compile();
    const query = { ...compiled, sql: PREPARED_MARK + compiled.sql };
    const fits = query.parameters.length === input.length && query.parameters.every((value, n) => value === input[n]);
    if (!fits) throw new Error(`The inputs don't match the parameters of: ${query.sql}`);
    built.set(adapterOf(database), query);
    return query;
  }

  return async (database: Database, input: readonly unknown[], build: () => Compilable<Row>): Promise<Row[]> => {
    const query = built.get(adapterOf(database)) ?? compile(database, input, build);
    const { rows } = await database.executeQuery<Row>({ ...query, parameters: input });
    return rows;
  };
}

const adapterOf = (database: Database): DialectAdapter => database.getExecutor().adapter;

/** Prepares a query whose text differs between the engines. */
export function preparedOn<Input extends readonly unknown[], Row>(
  build: (database: Database, engine: Engine, ...input: Input) => Compilable<Row>,
): (database: Database, engine: Engine, ...input: Input) => Promise<Row[]> {
  const onEngine = new WeakMap<Engine, (database: Database, ...input: Input) => Promise<Row[]>>();
  return (database, engine, ...input) => {
    let run = onEngine.get(engine);
    if (run === undefined) {
      run = prepared((preparedDatabase, ...inputs: Input) => build(preparedDatabase, engine, ...inputs));
      onEngine.set(engine, run);
    }
    return run(database, ...input);
  };
}
