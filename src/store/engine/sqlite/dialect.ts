import type { Database as Connection, SQLQueryBindings } from "bun:sqlite";
import { Kysely, type SelectModifierNode, SqliteDialect, SqliteQueryCompiler } from "kysely";
import type { Schema } from "../schema.ts";

/** Omits row locks, which SQLite lacks and doesn't need, because only one transaction writes at a time. */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== "ForNoKeyUpdate") super.visitSelectModifier(node);
  }
}

class LocklessDialect extends SqliteDialect {
  override createQueryCompiler(): SqliteQueryCompiler {
    return new LocklessCompiler();
  }
}

/** Returns Kysely for one connection of Bun's SQLite, which caches prepared statements by their text. */
export function kyselyOver<Tables = Schema>(connection: Connection): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new LocklessDialect({
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
