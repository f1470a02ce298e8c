import type { Row } from "./table.ts";

/** Measures something and returns its rows of the table. */
export type Bench = () => Promise<Row[]>;

/** Prints progress to stderr, because only the table goes to stdout. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
