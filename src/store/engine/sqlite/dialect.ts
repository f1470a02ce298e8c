import type { SQLQueryBindings } from "bun:sqlite";
import { Kysely, type SelectModifierNode, SqliteDialect, SqliteQueryCompiler } from "kysely";
import type { Schema } from "../schema.ts";
import type { Connection } from "./connection.ts";

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

/** Returns Kysely for one connection of Bun's SQLite. */
export function kyselyOver<Tables = Schema>(connection: Connection): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new LocklessDialect({
      database: { prepare: (text) => describe(connection, text), close: () => connection.close() },
    }),
  });
}

const bindings = (parameters: readonly unknown[]) => parameters as SQLQueryBindings[];

/** Returns a statement in the form that Kysely runs. */
function describe(connection: Connection, text: string) {
  const statement = connection.prepareOnce(text);
  return {
    reader: statement.columnNames.length > 0,
    all: (parameters: readonly unknown[]) => statement.all(...bindings(parameters)),
    run: (parameters: readonly unknown[]) => statement.run(...bindings(parameters)),
    /** Yields the rows of a separate statement, because the kept one may be needed before the last row is read. */
    *iterate(parameters: readonly unknown[]) {
      const own = connection.prepare<unknown, SQLQueryBindings[]>(text);
      try {
        yield* own.iterate(...bindings(parameters));
      } finally {
        own.finalize();
      }
    },
  };
}
