import type { Row } from "./table.ts";

/** Measures one thing and returns its lines of the table. */
export type Bench = () => Promise<Row[]>;

/** Says on the terminal what is going on; the table alone goes to stdout. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
