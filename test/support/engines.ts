import { describe } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "../../src/domain/ports.ts";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { openSqlite } from "../../src/store/engine/sqlite/open.ts";
import { REPLICAS } from "./behind-nginx.ts";
import { postgresUnavailable, sharedPostgres } from "./postgres.ts";
import { IS_EVERYTHING } from "./runs.ts";
import { createBucket, type TestBucket } from "./s3.ts";
import { describeIf } from "./skip.ts";

export type EngineName = "sqlite" | "postgres";

/** A database of its own for a test, on one of the engines. */
export interface TestDatabase {
  engine: EngineName;
  dataDir: string;
  /** Undefined for SQLite, whose file is in the data directory. */
  databaseUrl: string | undefined;
  /** Of the published files, where copies of the program have to share them. */
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

/**
 * Registers the same tests for each engine, skipped where the engine isn't installed. `npm test` runs each suite on the
 * engine that its name happens to select; suites of the store and runs of everything use both. With replicas, which have
 * to share a database, it is PostgreSQL.
 */
export function describeEachEngine(name: string, body: (engine: EngineName) => void): void {
  const missing = postgresUnavailable();
  const isWanted = (engine: EngineName) => {
    if (REPLICAS > 1) return engine === "postgres";
    return IS_EVERYTHING || missing !== undefined || selectedEngine(name) === engine;
  };
  if (isWanted("sqlite")) describe(`${name} on sqlite`, () => body("sqlite"));
  if (isWanted("postgres")) describeIf(`${name} on postgres`, missing, () => body("postgres"));
}

const selectedEngine = (name: string): EngineName => (Bun.hash.crc32(name) % 2 === 0 ? "sqlite" : "postgres");
