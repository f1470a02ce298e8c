import { describe } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgres } from "../../src/store/open-postgres.ts";
import { openSqlite } from "../../src/store/open-sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { REPLICAS } from "./behind-nginx.ts";
import { postgresUnavailable, sharedPostgres } from "./postgres.ts";
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
  const engine = REPLICAS > 1 ? "postgres" : wanted;
  const dataDir = await mkdtemp(join(tmpdir(), "vitrine-test-"));
  const databaseUrl = engine === "postgres" ? await (await sharedPostgres()).createDatabase() : undefined;
  return {
    engine,
    dataDir,
    databaseUrl,
    bucket: REPLICAS > 1 ? await createBucket() : undefined,
    openStore: () => (databaseUrl === undefined ? openSqlite(dataDir) : openPostgres(databaseUrl)),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
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
