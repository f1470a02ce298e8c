import { conflict, type Failure } from "./failure.ts";

/** The code at which a change expects its group; null for no such group yet, undefined for whatever there is. */
export type ExpectedCode = string | null | undefined;

/**
 * The refusal of a change whose group is not at the expected code. `current` is the code that the caller may be told:
 * null where there is no such group, undefined where it is not theirs to read.
 */
export function notAsExpected(name: string, expected: string | null, current: string | null | undefined): Failure {
  const group = `The group "${name}"`;
  if (current === null) return conflict(`There is no group "${name}", so its current code is not "${expected}".`);
  if (current === undefined) return conflict(`${group} is not at the expected code.`);
  if (expected === null) return conflict(`${group} exists already; its current code is ${current}.`);
  return conflict(`${group} is not at the expected code; its current code is ${current}.`);
}
