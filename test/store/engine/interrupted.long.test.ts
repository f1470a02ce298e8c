import { expect, setDefaultTimeout } from "bun:test";
import { createTestDatabase, type TestDatabase } from "../../support/engines.ts";
import { FIXTURE_VERSIONS, openFixture } from "../../support/upgrade-fixture.ts";
import { describeInterrupted, failAt } from "./interrupted.ts";

setDefaultTimeout(600_000);

describeInterrupted("an empty database", createTestDatabase, { interrupt: failAt, trials: Number.POSITIVE_INFINITY });
for (const version of FIXTURE_VERSIONS) {
  const open = openFixture.bind(undefined, version);
  describeInterrupted(`an installation of ${version} in a killed process`, open, {
    interrupt: killAt,
    trials: Number.POSITIVE_INFINITY,
  });
}

/** Migrates in a process of its own, which is killed before a statement. */
async function killAt(database: TestDatabase, last: number): Promise<void> {
  const { engine, dataDir, databaseUrl } = database;
  const moduleOf = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    const { engineNamed, migrateStepwise } = await import(${moduleOf("./interrupted.ts")});
    const { connectTo } = await import(${moduleOf("../support.ts")});
    const rows = connectTo(${JSON.stringify({ dataDir, databaseUrl })});
    await migrateStepwise(rows, engineNamed(${JSON.stringify(engine)}), (statement) => {
      if (statement === ${last}) process.kill(process.pid, "SIGKILL");
    });`;
  const child = Bun.spawn([process.execPath, "-e", program], { stdout: "ignore", stderr: "inherit" });
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
}
