import { describe } from "bun:test";

/** A `describe` whose tests are skipped if there is a reason why they can't run here. The report shows the reason. */
export function describeIf(name: string, reason: string | undefined, body: () => void): void {
  if (reason === undefined) describe(name, body);
  else describe.skip(`${name} (${reason})`, body);
}
