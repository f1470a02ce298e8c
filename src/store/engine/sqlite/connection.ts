import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite";
import { PREPARED_MARK } from "../prepared.ts";

/** Statements kept of the queries that are built for each call. Those of prepared queries are few, and are all kept. */
const KEPT_STATEMENTS = 100;

type Kept = Statement<unknown, SQLQueryBindings[]>;

/** A connection that keeps its statements for their next use. Bun's own cache takes only the first 20. */
export class Connection extends Database {
  readonly #ofPrepared = new Map<string, Kept>();
  /** Those least recently used come first. */
  readonly #others = new Map<string, Kept>();

  /** Returns the statement with a text, of which each result has to be read before its next use. */
  prepareOnce(text: string): Kept {
    const kept = text.startsWith(PREPARED_MARK) ? this.#ofPrepared : this.#others;
    const statement = kept.get(text) ?? this.prepare<unknown, SQLQueryBindings[]>(text);
    kept.delete(text);
    kept.set(text, statement);
    if (this.#others.size > KEPT_STATEMENTS) this.#forgetOldest();
    return statement;
  }

  /** Closes the connection and its statements, the last of which would otherwise keep the file open and locked. */
  override close(throwOnError?: boolean): void {
    for (const statement of [...this.#ofPrepared.values(), ...this.#others.values()]) statement.finalize();
    this.#ofPrepared.clear();
    this.#others.clear();
    super.close(throwOnError);
  }

  #forgetOldest() {
    for (const [text, statement] of this.#others) {
      statement.finalize();
      this.#others.delete(text);
      return;
    }
  }
}
