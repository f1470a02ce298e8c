import { describe } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgres } from "../../src/store/open-postgres.ts";
import { openSqlite } from "../../src/store/open-sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { COPIES } from "./behind-nginx.ts";
import { postgresUnavailable, sharedPostgres } from "./postgres.ts";
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
  const engine = COPIES > 1 ? "postgres" : wanted;
  const dataDir = await mkdtemp(join(tmpdir(), "vitrine-test-"));
  const databaseUrl = engine === "postgres" ? await (await sharedPostgres()).createDatabase() : undefined;
  return {
    engine,
    dataDir,
    databaseUrl,
    bucket: COPIES > 1 ? await createBucket() : undefined,
    openStore: () => (databaseUrl === undefined ? openSqlite(dataDir) : openPostgres(databaseUrl)),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

const IS_BRIEF = Boolean(process.env.VITRINE_TEST_BRIEF);

/**
 * Runs the same tests on every engine; those that cannot be had are reported as skipped. Where it has to be brief, on one
 * of them, which the name decides; where services are copies, on the one that copies can share.
 */
export function describeEachEngine(name: string, body: (engine: EngineName) => void): void {
  const isLeftOut = (engine: EngineName) => {
    if (COPIES > 1) return engine === "sqlite";
    return IS_BRIEF && postgresUnavailable() === undefined && engineOf(name) !== engine;
  };
  if (!isLeftOut("sqlite")) describe(`${name} on sqlite`, () => body("sqlite"));
  if (!isLeftOut("postgres")) describeIf(`${name} on postgres`, postgresUnavailable(), () => body("postgres"));
}

const engineOf = (name: string): EngineName => (Bun.hash.crc32(name) % 2 === 0 ? "sqlite" : "postgres");
