import {
  type Compilable,
  type CompiledQuery,
  type DialectAdapter,
  type Expression,
  type InsertObject,
  sql,
} from "kysely";
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

/** Returns a column's value, or the expression by which a statement finds it. */
export type Source<Row> = <Column extends keyof Row & string>(column: Column) => Row[Column] | Expression<Row[Column]>;

/** Stands for a column of the input among the parameters of a query. */
class Mark {
  readonly column: string;

  constructor(column: string) {
    this.column = column;
  }
}

/** Prepares a query over a row, of which it may take each column any number of times. */
export function preparedOver<Input extends object, Row>(
  build: (database: Database, given: Source<Input>) => Compilable<Row>,
): (database: Database, input: Input) => Promise<Row[]> {
  const built = new WeakMap<DialectAdapter, { query: CompiledQuery<Row>; columns: readonly string[] }>();
  const marked: Source<Input> = (column) => sql`${new Mark(column)}`;

  function compile(database: Database) {
    const query = build(database, marked).compile();
    const columns = query.parameters.map((parameter) => {
      if (parameter instanceof Mark) return parameter.column;
      throw new Error(`A parameter is no column of the input in: ${query.sql}`);
    });
    const known = { query: { ...query, sql: PREPARED_MARK + query.sql }, columns };
    built.set(adapterOf(database), known);
    return known;
  }

  return async (database, input) => {
    const { query, columns } = built.get(adapterOf(database)) ?? compile(database);
    const parameters = columns.map((column): unknown => Reflect.get(input, column));
    return (await database.executeQuery<Row>({ ...query, parameters })).rows;
  };
}

function createExecutor<Row>() {
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

/** Returns what identifies a database; transactions and connections share it with theirs. */
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
