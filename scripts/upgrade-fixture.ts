/**
 * Saves a small installation of an earlier version, which today's version has to open: run it once for each release, as
 * `node scripts/bun.mjs scripts/upgrade-fixture.ts`. Needs the history and PostgreSQL.
 */
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Client } from "pg";
import { PREVIOUS_VERSION, unpackPreviousBuild } from "../test/process/previous-build.ts";
import { type Facts, fixtureOf } from "../test/store/engine/upgrade-fixture.ts";
import { run } from "../test/support/cli.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { startProgram } from "../test/support/program.ts";
import { fill, findReads } from "./upgrade-contents.ts";

/** In 2100: what expires there has not expired when a test runs. */
const LATER = 4_102_444_800_000;
const LASTING = ["sessions", "invitations", "deletions"];

const fixture = fixtureOf(PREVIOUS_VERSION);
if (existsSync(fixture)) throw new Error(`${fixture} exists already. Saved installations never change.`);
const directory = await mkdtemp(join(tmpdir(), "vitrine-fixture-"));
const dataDir = join(directory, "data");
const program = await unpackPreviousBuild(join(directory, "build"));

async function command(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run([program, ...args], { environment: { VITRINE_DATA_DIR: dataDir } });
  if (code !== 0) throw new Error(`vitrine ${args.join(" ")} failed: ${stderr}`);
  return stdout.trim();
}

/** Starts the server for as long as the work takes. */
async function serving<Result>(work: (addresses: { baseUrl: string; contentUrl: string }) => Promise<Result>) {
  const environment = { VITRINE_DATA_DIR: dataDir, VITRINE_PORT: "0", VITRINE_CONTENT_PORT: "0" };
  const server = await startProgram(environment, [], program);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** Makes what would expire last, in the database and its log file, and leaves one file. */
function makeLasting(path: string): void {
  const database = new Database(path);
  for (const table of LASTING) database.run(`update ${table} set expires_at = ?`, [LATER]);
  database.run("pragma wal_checkpoint(truncate)");
  database.close();
}

/** Copies the database to PostgreSQL by the program of that version, and dumps it. */
async function dump(): Promise<string> {
  await using server = await startPostgres();
  const url = await server.createDatabase();
  await command("db", "copy", "--from", dataDir, "--to", url);
  const client = new Client({ connectionString: url });
  await client.connect();
  // A record of the copy, which no server needs.
  await client.query("drop table database_copy");
  await client.end();
  const dumped = await run(["pg_dump", "--inserts", "--no-owner", "--no-privileges", "--dbname", url]);
  if (dumped.code !== 0) throw new Error(dumped.stderr);
  // Comments, and commands that only psql understands.
  return `${dumped.stdout
    .split("\n")
    .filter((line) => line !== "" && !/^(--|\\)/.test(line))
    .join("\n")}\n`;
}

try {
  const facts: Facts = await serving((addresses) => fill(addresses, command));
  makeLasting(join(dataDir, "vitrine.db"));
  const reads = await serving((addresses) => findReads(addresses, facts));
  makeLasting(join(dataDir, "vitrine.db"));
  await mkdir(fixture, { recursive: true });
  await cp(join(dataDir, "blobs"), join(fixture, "data/blobs"), { recursive: true });
  await cp(join(dataDir, "secret"), join(fixture, "data/secret"));
  await Bun.write(
    join(fixture, "vitrine.db.gz"),
    gzipSync(await Bun.file(join(dataDir, "vitrine.db")).bytes(), { level: 9 }),
  );
  await Bun.write(join(fixture, "postgres.sql"), await dump());
  await Bun.write(join(fixture, "expected.json"), `${JSON.stringify({ facts, reads }, null, 1)}\n`);
} finally {
  await rm(directory, { recursive: true, force: true });
}
