import { describe } from "bun:test";

/** A `describe` whose tests are skipped, out loud, where there is a reason why they cannot run here. */
export function describeIf(name: string, reason: string | undefined, body: () => void): void {
  if (!reason) {
    describe(name, body);
    return;
  }
  console.error(`SKIPPED ${name}: ${reason}`);
  describe.skip(name, body);
}
