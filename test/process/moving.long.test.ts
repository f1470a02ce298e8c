import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { createFileBlobs } from "../../src/blobs/fs.ts";
import { createS3Blobs } from "../../src/blobs/s3.ts";
import { createClient } from "../../src/client/client.ts";
import { searchRoute } from "../../src/client/routes.ts";
import type { Blobs } from "../../src/domain/model/blobs.ts";
import { MOVED_TABLES } from "../../src/store/moved-tables.ts";
import { vitrineOnTerminal } from "../support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../support/engines.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { runsOf } from "../support/runs.ts";
import { createBucket, s3Unavailable, type TestBucket } from "../support/s3.ts";
import { publishReport, random, startService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { fillInstallation, type Installation, observe } from "./installation.ts";
import { startProgram } from "./program.ts";

const LAUNCHER = new URL("../../bin/vitrine", import.meta.url).pathname;
const { VITRINE_TEST_MOVED: wanted } = process.env;
const UPLOADS = Number(wanted ?? runsOf(150));

/** Starts `bin/vitrine` with these arguments. */
function start(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env.PATH, HOME: "/nonexistent", ...environment };
  return Bun.spawn([LAUNCHER, ...words], { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
}

async function run(words: readonly string[], environment?: Readonly<Record<string, string>>) {
  const startedAt = performance.now();
  const child = start(words, environment);
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr, seconds: (performance.now() - startedAt) / 1000 };
}

/** Prints durations if VITRINE_TEST_MOVED is set. */
function tell(what: string, seconds: number): void {
  if (wanted !== undefined) console.error(`${what} ${seconds.toFixed(1)} s`);
}

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1) ?? "";

/** Returns the keys, without incomplete objects of a stopped server. */
async function keysIn(blobs: Blobs): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of blobs.list()) if (!key.endsWith(".new")) keys.push(key);
  return keys.toSorted();
}

/** Makes everything that inserts versions wait for a lock. */
const HOLD_VERSIONS = `
  create function hold() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
  create trigger hold before insert on versions for each row execute function hold()`;

const unavailable = postgresUnavailable() ?? s3Unavailable();

describeIf("moving an installation", unavailable, () => {
  let home: TestDatabase;
  let elsewhere: TestDatabase;
  let bucket: TestBucket;
  let installation: Installation;
  let before: Awaited<ReturnType<typeof observe>>;
  let newDataDir: string;
  let backDataDir: string;
  let rehearsalDir: string;

  const bucketUrl = () => bucket.environment().VITRINE_BLOBS_URL ?? "";
  const credentials = () => {
    const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = bucket.environment();
    return { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
  };
  const databaseUrl = () => elsewhere.databaseUrl ?? "";
  const toBucket = () => ["blobs", "copy", "--from", home.dataDir, "--to", bucketUrl()];
  const toPostgres = () => ["db", "copy", "--from", home.dataDir, "--to", databaseUrl()];
  const blobsAtHome = () => createFileBlobs(join(home.dataDir, "blobs"));
  const blobsInBucket = () => createS3Blobs({ place: bucket.place(), random });

  beforeAll(async () => {
    home = await createTestDatabase("sqlite");
    elsewhere = await createTestDatabase("postgres");
    bucket = await createBucket();
    newDataDir = await mkdtemp(join(tmpdir(), "vitrine-new-"));
    backDataDir = await mkdtemp(join(tmpdir(), "vitrine-back-"));
    rehearsalDir = await mkdtemp(join(tmpdir(), "vitrine-rehearsal-"));
    await using service = await startService({ database: home });
    installation = await fillInstallation(service, UPLOADS);
    before = await observe(service, installation);
    expect(before.refused).toEqual([403, 401]);
    expect(before.workspaces.join("").split(" 200 ").length).toBeGreaterThan(UPLOADS);
    const served = await run(toPostgres());
    expect(served).toMatchObject({ code: 1, stdout: "" });
    expect(served.stderr).toContain("A server is using the source. Stop it, then copy");
  });
  afterAll(async () => {
    await Promise.all([home.remove(), elsewhere.remove()]);
    for (const directory of [newDataDir, backDataDir, rehearsalDir])
      await rm(directory, { recursive: true, force: true });
  });

  test("published files: killed midway, with a damaged one reported, and completed by the next run", async () => {
    const total = (await keysIn(blobsAtHome())).length;
    const killed = start(toBucket(), credentials());
    await until(async () => (await keysIn(blobsInBucket())).length > 3);
    killed.kill("SIGKILL");
    await killed.exited;
    const arrived = await keysIn(blobsInBucket());
    expect(arrived.length).toBeLessThan(total);

    // The last one: the store may still complete what was being sent.
    const intact = (await keysIn(blobsAtHome())).findLast((key) => !arrived.includes(key) && !key.endsWith(".z")) ?? "";
    const path = join(home.dataDir, "blobs", intact.slice(0, 1), intact);
    const content = await readFile(path);
    await writeFile(path, content.with(11, (content[11] ?? 0) ^ 1));
    const damaged = await run(toBucket(), credentials());
    expect(damaged).toMatchObject({ code: 1, stdout: "" });
    expect(damaged.stderr).toContain(`${intact}: index.html in it is not what was published; it was not copied.\n`);
    expect(lastLine(damaged.stderr)).toBe("vitrine: 1 object could not be copied. See the lines above.");
    expect(await keysIn(blobsInBucket())).not.toContain(intact);
    // It doesn't belong to the installation while something is missing.
    expect(await blobsInBucket().installation.read()).toBeUndefined();

    await writeFile(path, content);
    const whole = await run([...toBucket(), "--json"], credentials());
    expect(whole.code).toBe(0);
    expect(JSON.parse(whole.stdout)).toEqual({
      objects: total,
      bytes: expect.any(Number),
      copied: 1,
      alreadyThere: total - 1,
      different: 0,
      damaged: 0,
      missing: 0,
      interrupted: false,
    });
    expect(await keysIn(blobsInBucket())).toEqual(await keysIn(blobsAtHome()));
    expect(await blobsInBucket().installation.read()).toBe((await blobsAtHome().installation.read()) ?? "none");
    const again = await run(toBucket(), credentials());
    expect(lastLine(again.stderr)).toMatch(
      new RegExp(`^${total} objects, [\\d.]+ .B: 0 copied, ${total} already there, 0 different\\.$`),
    );
    tell(`${total} objects, none of them new: copied in`, again.seconds);
  });

  test("published files: existing objects are not overwritten", async () => {
    const other = await createBucket();
    const [first = ""] = await keysIn(blobsAtHome());
    const target = createS3Blobs({ place: other.place({ prefix: "below/" }), random });
    await target.put(first, new TextEncoder().encode("something else"));
    const to = other.environment({ prefix: "below/" }).VITRINE_BLOBS_URL ?? "";
    const environment = {
      AWS_ACCESS_KEY_ID: "of another store",
      AWS_SECRET_ACCESS_KEY: "which is not this one",
      TO_AWS_ACCESS_KEY_ID: credentials().AWS_ACCESS_KEY_ID,
      TO_AWS_SECRET_ACCESS_KEY: credentials().AWS_SECRET_ACCESS_KEY,
    };
    const result = await run(["blobs", "copy", "--from", `file://${home.dataDir}/blobs`, "--to", to], environment);
    tell(`${lastLine(result.stderr.slice(0, result.stderr.lastIndexOf("vitrine:")))} In`, result.seconds);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(
      `${first}: the target has a different object with this key, which was not overwritten.\n`,
    );
    expect(result.stderr).toContain(", 1 different.\n");
    expect(new TextDecoder().decode(await target.readAll(first))).toBe("something else");
  });

  test("published files: a target that was only started is accepted, another installation's is not", async () => {
    const own = await blobsAtHome().installation.read();
    const started = await createBucket();
    const [target, to] = [createS3Blobs({ place: started.place(), random }), started.environment().VITRINE_BLOBS_URL];
    const words = ["blobs", "copy", "--from", home.dataDir, "--to", to ?? ""];
    await target.installation.claim("ins_other");
    expect((await run(words, credentials())).code).toBe(0);
    expect(await target.installation.read()).toBe(own ?? "none");
    await target.installation.replace("ins_other");
    const { code, stderr } = await run(words, credentials());
    expect(code).toBe(1);
    expect(stderr).toBe(
      `vitrine: --to contains the files of another installation (ins_other, not ${own}). Use an empty location.\n`,
    );
  });

  test("published files: Ctrl-C stops the copy cleanly", async () => {
    const other = await createBucket();
    const to = other.environment().VITRINE_BLOBS_URL ?? "";
    const words = ["blobs", "copy", "--from", home.dataDir, "--to", to];
    const stopped = start(words, credentials());
    const target = createS3Blobs({ place: other.place(), random });
    await until(async () => (await keysIn(target)).length > 3);
    stopped.kill("SIGINT");
    const [stderr, code] = await Promise.all([stopped.stderr.text(), stopped.exited]);
    expect({ code, last: lastLine(stderr) }).toEqual({
      code: 1,
      last: "vitrine: Interrupted. Run the same command again to continue.",
    });
    const [, counted = ""] = /^(\d+) objects, .*: \d+ copied, 0 already there, 0 different\.$/m.exec(stderr) ?? [];
    expect(Number(counted)).toBe((await keysIn(target)).length);
    expect((await run(words, credentials())).code).toBe(0);
    expect(await keysIn(target)).toEqual(await keysIn(blobsAtHome()));
    const { code: third, screen } = await vitrineOnTerminal(words, { environment: credentials() });
    expect(third).toBe(0);
    expect(screen).toMatch(/Copying █+░* +\d+ % \d+ objects, /);
  });

  test("the database: killed midway, refused by servers, and completed by the next run", async () => {
    // The tables have to exist to be locked.
    await (await elsewhere.openStore()).close();
    const holding = new Client({ connectionString: databaseUrl() });
    await holding.connect();
    await holding.query("select pg_advisory_lock(1)");
    await holding.query(HOLD_VERSIONS);
    const killed = start(toPostgres());
    const looking = new Client({ connectionString: databaseUrl() });
    await looking.connect();
    await until(async () => {
      const { rows } = await looking
        .query("select progress::json->>'step' as step from database_copy")
        .catch(() => ({ rows: [] }));
      return rows[0]?.step === "versions";
    });
    killed.kill("SIGKILL");
    await killed.exited;
    await holding.query("select pg_advisory_unlock(1)");
    await holding.query("drop function hold cascade");
    await Promise.all([holding.end(), looking.end()]);

    const settings = {
      VITRINE_DATABASE_URL: databaseUrl(),
      VITRINE_DATA_DIR: newDataDir,
      VITRINE_PORT: "0",
      VITRINE_CONTENT_PORT: "0",
    };
    for (const words of [
      ["serve"],
      ["users", "create", "--init", "--email", "x@example.org", "--slug", "x", "--password", "long enough"],
    ]) {
      const refused = await run(words, settings);
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toBe(
        "vitrine: VITRINE_DATABASE_URL cannot be used: a copy into this database is not finished; run the same vitrine db copy again to finish it.\n",
      );
    }
    const rest = await run([...toPostgres(), "--json"]);
    expect(rest.code).toBe(0);
    expect(rest.stderr).toStartWith("Continuing the unfinished copy.\n");
    const { state, rows, copied } = JSON.parse(rest.stdout);
    expect(state).toBe("copied");
    expect(copied).toBeLessThan(rows);
    const again = await run(toPostgres());
    expect(again.code).toBe(0);
    expect(lastLine(again.stderr)).toBe(`${rows} rows in ${MOVED_TABLES.length} tables: already copied.`);
    tell(`${copied} of ${rows} rows: copied in`, rest.seconds);
    tell(`${rows} rows, none of them new: copied in`, again.seconds);
  });

  test("the new installation serves everything unchanged, and accepts changes", async () => {
    const secret = (await readFile(join(home.dataDir, "secret"), "utf8")).trim();
    await using program = await startProgram({
      dataDir: newDataDir,
      environment: { ...bucket.environment(), VITRINE_DATABASE_URL: databaseUrl(), VITRINE_SECRET: secret },
    });
    expect(await observe(program, installation)).toEqual(before);

    const refused = await run(["db", "copy", "--from", databaseUrl(), "--to", backDataDir]);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("A server is using the source.");
    const rehearsal = await run(["db", "copy", "--from", databaseUrl(), "--to", rehearsalDir, "--while-served"]);
    expect(rehearsal).toMatchObject({ code: 0, stdout: "" });
    expect(rehearsal.stderr).toStartWith("A server is using the source. Its changes from now on won't be in the copy.");
    const intoServed = await run(toPostgres());
    expect(intoServed.stderr).toBe("vitrine: A server is using the target. Stop it, then copy.\n");
    await program.stop();
  });

  test("everything can be moved back", async () => {
    const blobs = await run(
      ["blobs", "copy", "--from", bucketUrl(), "--to", backDataDir, "--database", databaseUrl()],
      credentials(),
    );
    expect(blobs.code).toBe(0);
    expect(lastLine(blobs.stderr)).toMatch(/^\d+ objects, .*: \d+ copied, 0 already there, 0 different\.$/);
    const database = await run(["db", "copy", "--from", databaseUrl(), "--to", join(backDataDir, "vitrine.db")]);
    expect(database).toMatchObject({ code: 0, stdout: "" });
    tell("Back: published files in", blobs.seconds);
    tell("Back: the database in", database.seconds);
    await writeFile(join(backDataDir, "secret"), await readFile(join(home.dataDir, "secret")), { mode: 0o600 });
    await using program = await startProgram({ dataDir: backDataDir });
    expect(await observe(program, installation)).toEqual(before);
    const [{ token, owner } = { token: "", owner: "" }] = installation.onlookers;
    const client = createClient({ baseUrl: program.baseUrl, token });
    const { name } = await publishReport(client, { name: "after-the-move" });
    const { items } = await client.call(searchRoute, { query: { owner, q: "ter-the-m" } });
    expect(items.map((item) => item.name)).toEqual([name]);
    await program.stop();
    const used = await run(["db", "copy", "--from", databaseUrl(), "--to", backDataDir]);
    expect(used).toMatchObject({ code: 1 });
    expect(lastLine(used.stderr)).toStartWith("vitrine: The target was used after the copy");
  });
});
