import { join } from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { newCode } from "../../src/domain/model/codes.ts";
import { type Caller, type Membership, type Role, SCOPES } from "../../src/domain/model/entities.ts";
import type { Publication } from "../../src/domain/publishing/ports.ts";
import type { Database, Schema } from "../../src/store/engine/schema.ts";
import { Connection } from "../../src/store/engine/sqlite/connection.ts";
import { kyselyOver } from "../../src/store/engine/sqlite/dialect.ts";
import { createMigratedDatabase, type EngineName, type TestDatabase } from "../support/engines.ts";
import { createFactories, random } from "../support/service.ts";

const INT8_OID = 20;

/** Opens a separate connection, which shows what is in the database, independently of the store. */
export function connectTo<Tables = Schema>(database: TestDatabase): Kysely<Tables> {
  if (database.databaseUrl === undefined) {
    const connection = new Connection(join(database.dataDir, "vitrine.db"), { create: true, readwrite: true });
    connection.run("pragma busy_timeout = 10000");
    connection.run("pragma foreign_keys = on");
    return kyselyOver<Tables>(connection);
  }
  const getTypeParser = (oid: number, format?: "text" | "binary") =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format);
  const pool = new pg.Pool({ connectionString: database.databaseUrl, max: 2, types: { getTypeParser } });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Opens a store on a new database, with factories and a direct connection. */
export async function openTestStore(engine: EngineName) {
  const database = await createMigratedDatabase(engine);
  const store = await database.openStore();
  const rows: Database = connectTo(database);
  return {
    database,
    store,
    rows,
    build: createFactories(store),
    async [Symbol.asyncDispose]() {
      await rows.destroy();
      await store.close();
      await database.remove();
    },
  };
}

export type TestStore = Awaited<ReturnType<typeof openTestStore>>;

export interface Owner {
  slug: string;
  userId: string;
  workspaceId: string;
  caller: Caller;
}

/** Adds a user. Returns the caller for their own workspace. */
export async function addOwner({ build, store }: TestStore): Promise<Owner> {
  const { slug } = await build.user();
  const found = await store.people.findUserBySlug(slug);
  if (found === undefined) throw new Error(`The user ${slug} was not stored.`);
  const { id: userId, workspaceId } = found;
  return { slug, userId, workspaceId, caller: buildCaller({ userId, workspaceId, slug, role: "owner" }) };
}

/** Returns a caller with one membership and every scope. */
export function buildCaller(who: { userId: string; workspaceId: string; slug?: string; role: Role }): Caller {
  const workspace: Membership = {
    id: who.workspaceId,
    slug: who.slug ?? "workspace",
    kind: "org",
    displayName: null,
    plan: "pro",
    role: who.role,
  };
  return {
    userId: who.userId,
    verifiedEmail: null,
    workspace,
    memberships: [workspace],
    scopes: new Set(SCOPES),
    credentialId: "tok_test",
    isOperator: false,
  };
}

/** Returns a publication that is valid unless overridden. */
export function buildPublication(
  { userId, workspaceId }: Pick<Owner, "userId" | "workspaceId">,
  overrides: Partial<Publication> = {},
): Publication {
  const size = overrides.size ?? 10;
  return {
    code: newCode(random),
    name: undefined,
    expectedCode: undefined,
    title: "A report",
    note: undefined,
    visibility: "private",
    storage: undefined,
    sample: undefined,
    folder: undefined,
    files: [{ path: "index.html", offset: 0, size, digest: "digest" }],
    standIns: undefined,
    size,
    warnings: [],
    ignored: { visibility: {}, folder: undefined },
    workspaceId,
    userId,
    mayGovern: true,
    quota: 1_000_000_000,
    allowsRevisions: true,
    request: undefined,
    addressed: undefined,
    now: Date.now(),
    ...overrides,
  };
}

export async function storedBytes(rows: Database, workspaceId: string): Promise<number> {
  const workspace = await rows
    .selectFrom("workspaces")
    .select("stored_bytes")
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return workspace.stored_bytes;
}

/**
 * Returns the error of a rejected promise. Bun's own `rejects` blocks the event loop while it waits, and with it the
 * messages of the writer thread.
 */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error instanceof Error ? error : new Error(`Rejected with no error: ${String(error)}`);
  }
  throw new Error(`Resolved to ${JSON.stringify(value)} instead of being rejected.`);
}
