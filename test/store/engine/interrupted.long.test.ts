import { expect, setDefaultTimeout } from "bun:test";
import { createTestDatabase, type TestDatabase } from "../../support/engines.ts";
import { describeInterrupted, failAt } from "./interrupted.ts";
import { FIXTURE_VERSIONS, openFixture } from "./upgrade-fixture.ts";

setDefaultTimeout(600_000);

const TRIALS = 20;

describeInterrupted("an empty database", createTestDatabase, { interrupt: failAt, trials: TRIALS });
for (const version of FIXTURE_VERSIONS) {
  const open = openFixture.bind(undefined, version);
  describeInterrupted(`an installation of ${version} in a killed process`, open, {
    interrupt: killAt,
    trials: TRIALS,
  });
}

/** Migrates in a process of its own, which is killed before a statement. */
async function killAt(database: TestDatabase, last: number): Promise<void> {
  const script = new URL("./migrate-until-killed.ts", import.meta.url).pathname;
  const child = Bun.spawn([process.execPath, script, JSON.stringify(database), String(last)], {
    stdout: "ignore",
    stderr: "inherit",
  });
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
}
