import type { Database as Connection, SQLQueryBindings, Statement } from "bun:sqlite";
import { Kysely, type SelectModifierNode, SqliteDialect, SqliteQueryCompiler } from "kysely";
import { PREPARED_MARK } from "../prepared.ts";
import type { Schema } from "../schema.ts";

/** Statements kept of the queries that are built for each call. Those of prepared queries are few, and are all kept. */
const KEPT_STATEMENTS = 100;

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
      database: { prepare: createStatements(connection), close: () => connection.close() },
    }),
  });
}

/** Returns a function that prepares each statement once. Bun's own cache takes only the first 20 of a connection. */
function createStatements(connection: Connection) {
  const ofPrepared = new Map<string, ReturnType<typeof describe>>();
  /** Those least recently used come first. */
  const others = new Map<string, ReturnType<typeof describe>>();

  return (text: string) => {
    const kept = text.startsWith(PREPARED_MARK) ? ofPrepared : others;
    const statement = kept.get(text) ?? describe(connection.prepare(text));
    if (kept === others) {
      others.delete(text);
      const [oldest] = others.size < KEPT_STATEMENTS ? [] : others.keys();
      if (oldest !== undefined) others.delete(oldest);
    }
    kept.set(text, statement);
    return statement;
  };
}

const bindings = (parameters: readonly unknown[]) => parameters as SQLQueryBindings[];

/** Returns a statement in the form that Kysely runs. */
const describe = (statement: Statement<unknown, SQLQueryBindings[]>) => ({
  reader: statement.columnNames.length > 0,
  all: (parameters: readonly unknown[]) => statement.all(...bindings(parameters)),
  run: (parameters: readonly unknown[]) => statement.run(...bindings(parameters)),
  iterate: (parameters: readonly unknown[]) => statement.iterate(...bindings(parameters)),
});
