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

/** Registers the same tests for SQLite and for PostgreSQL; with replicas, which have to share a database, for the latter. */
export function describeEachEngine(name: string, body: (engine: EngineName) => void): void {
  if (REPLICAS === 1) describe(`${name} on sqlite`, () => body("sqlite"));
  describeIf(`${name} on postgres`, postgresUnavailable(), () => body("postgres"));
}

/**
 * Registers tests of what should not depend on the engine, which the store's own tests compare. `npm test` runs them on the
 * engine that the name happens to select, runs of everything on each.
 */
export function describeOneEngine(name: string, body: (engine: EngineName) => void): void {
  const selected = Bun.hash.crc32(name) % 2 === 0 ? "sqlite" : "postgres";
  if (IS_EVERYTHING || REPLICAS > 1 || postgresUnavailable() !== undefined) describeEachEngine(name, body);
  else describe(`${name} on ${selected}`, () => body(selected));
}
