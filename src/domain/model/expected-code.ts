import { conflict, type Failure } from "./failure.ts";
import { quote } from "./quote.ts";

/** The current code that a change requires: null if the report must not exist yet, undefined for no requirement. */
export type ExpectedCode = string | null | undefined;

/**
 * Returns the failure of a change whose report doesn't have the expected current code. `current` is the actual one:
 * null if the report doesn't exist, undefined if the caller may not read that version.
 */
export function notAsExpected(name: string, expected: string | null, current: string | null | undefined): Failure {
  const report = `Report "${name}"`;
  if (current === null) {
    return conflict(`${report} doesn't exist, so its current code isn't ${quote(expected ?? "")}. Check the name.`);
  }
  if (current === undefined) return conflict(`${report} doesn't have the expected current code.`);
  if (expected === null) return conflict(`${report} already exists. Its current code is ${current}.`);
  return conflict(`${report} has changed: its current code is ${current}. Check the changes and try again.`);
}
