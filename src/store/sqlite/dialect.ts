import type { Database as Connection, SQLQueryBindings } from "bun:sqlite";
import { Kysely, SqliteDialect } from "kysely";
import type { Schema } from "../schema.ts";

/** Kysely over one connection of Bun's SQLite; prepared statements are kept by their text. */
export function kyselyOver<Tables = Schema>(connection: Connection): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: {
        prepare(text) {
          const statement = connection.query<unknown, SQLQueryBindings[]>(text);
          const bindings = (parameters: readonly unknown[]) => parameters as SQLQueryBindings[];
          return {
            reader: statement.columnNames.length > 0,
            all: (parameters) => statement.all(...bindings(parameters)),
            run: (parameters) => statement.run(...bindings(parameters)),
            iterate: (parameters) => statement.iterate(...bindings(parameters)),
          };
        },
        close: () => connection.close(),
      },
    }),
  });
}
