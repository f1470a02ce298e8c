import { describe } from "bun:test";
import { rmSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgres } from "../../src/store/open-postgres.ts";
import { openSqlite, SQLITE_THREADS } from "../../src/store/open-sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { REPLICAS } from "./behind-nginx.ts";
import { type PostgresServer, postgresUnavailable, sharedPostgres } from "./postgres.ts";
import { IS_EVERYTHING } from "./runs.ts";
import { createBucket, type TestBucket } from "./s3.ts";
import { describeIf } from "./skip.ts";

export type EngineName = "sqlite" | "postgres";

/** An empty database for one test. */
export interface TestDatabase {
  engine: EngineName;
  dataDir: string;
  /** Undefined for SQLite, whose file is in the data directory. */
  databaseUrl: string | undefined;
  /** Holds the published files if replicas have to share them. */
  bucket: TestBucket | undefined;
  openStore(): Promise<Store>;
  remove(): Promise<void>;
}

export async function createTestDatabase(wanted: EngineName): Promise<TestDatabase> {
  return createDatabaseFrom(engineOf(wanted));
}

/** Creates a database that has the newest schema, which takes a fifth of the time that the migrations take. */
export async function createMigratedDatabase(wanted: EngineName): Promise<TestDatabase> {
  const engine = engineOf(wanted);
  const place = engine === "postgres" ? await sharedPostgres() : engine;
  const template = templates.get(place) ?? createTemplate(engine);
  templates.set(place, template);
  return createDatabaseFrom(engine, await template);
}

/** With the newest schema; made when this process first needs one. That of PostgreSQL ends with its server. */
const templates = new Map<PostgresServer | "sqlite", Promise<TestDatabase>>();

async function createTemplate(engine: EngineName): Promise<TestDatabase> {
  const template = await createDatabaseFrom(engine);
  await (await template.openStore()).close();
  process.on("exit", () => rmSync(template.dataDir, { recursive: true, force: true }));
  return template;
}

const engineOf = (wanted: EngineName): EngineName => (REPLICAS > 1 ? "postgres" : wanted);

async function createDatabaseFrom(engine: EngineName, template?: TestDatabase): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), "vitrine-test-"));
  const databaseUrl =
    engine === "postgres"
      ? await (await sharedPostgres()).createDatabase({ template: template?.databaseUrl })
      : undefined;
  if (engine === "sqlite" && template) await copyFile(join(template.dataDir, FILE), join(dataDir, FILE));
  return {
    engine,
    dataDir,
    databaseUrl,
    bucket: REPLICAS > 1 ? await createBucket() : undefined,
    openStore: async () =>
      databaseUrl === undefined ? openSqlite(dataDir, {}, await bundledThreads()) : openPostgres(databaseUrl),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

const FILE = "vitrine.db";
let threads: Promise<typeof SQLITE_THREADS> | undefined;

/** Returns the database's threads as one script each: Bun would read their modules again for every store. */
function bundledThreads(): Promise<typeof SQLITE_THREADS> {
  const bundle = async (script: URL) => {
    const { outputs } = await Bun.build({
      entrypoints: [Bun.fileURLToPath(script)],
      target: "bun",
      sourcemap: "inline",
    });
    return new URL(URL.createObjectURL(new Blob(outputs)));
  };
  threads ??= (async () => ({
    writer: await bundle(SQLITE_THREADS.writer),
    reader: await bundle(SQLITE_THREADS.reader),
  }))();
  return threads;
}

/** Registers tests once for SQLite and once for PostgreSQL; only for PostgreSQL if the services are replicas. */
export function describeEachEngine(name: string, body: (engine: EngineName) => void): void {
  if (REPLICAS === 1) describe(`${name} on sqlite`, () => body("sqlite"));
  describeIf(`${name} on postgres`, postgresUnavailable(), () => body("postgres"));
}

/**
 * Registers tests of behavior that doesn't depend on the engine; the store's own tests make sure of that. `npm test` runs
 * them on the engine that the name happens to select, `npm run test:all` on each.
 */
export function describeOneEngine(name: string, body: (engine: EngineName) => void): void {
  const selected = Bun.hash.crc32(name) % 2 === 0 ? "sqlite" : "postgres";
  if (IS_EVERYTHING || REPLICAS > 1 || postgresUnavailable() !== undefined) describeEachEngine(name, body);
  else describe(`${name} on ${selected}`, () => body(selected));
}
