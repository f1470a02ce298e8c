import { readdirSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { Client } from "pg";
import { z } from "zod";
import { openPostgres } from "../../../src/store/open-postgres.ts";
import { openSqlite } from "../../../src/store/open-sqlite.ts";
import type { EngineName, TestDatabase } from "../../support/engines.ts";
import { sharedPostgres } from "../../support/postgres.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/upgrade", import.meta.url));

/** Returns the directory of what `scripts/upgrade-fixture.ts` saved of a server of a version. */
export const fixtureOf = (version: string) => join(FIXTURES, version);

/** The versions with a fixture. */
export const FIXTURE_VERSIONS = readdirSync(FIXTURES).filter((name) => !name.endsWith(".json"));

/** A request that reads something, and how the server of that version answered it. */
export const readSchema = z.object({
  host: z.enum(["app", "content"]),
  path: z.string(),
  /** The user whose token the request has, or null. */
  as: z.string().nullable(),
  status: z.int(),
  location: z.string().optional(),
  /** The SHA-256 of the bytes, for published files. */
  sha256: z.string().optional(),
  /** For JSON. */
  body: z.unknown(),
});
export type Read = z.infer<typeof readSchema>;

/** What people who use the server know. */
export const factsSchema = z.object({
  password: z.string(),
  /** Access tokens by what they are for. */
  tokens: z.record(z.string(), z.string()),
  revokedToken: z.string(),
  /** The cookie of a signed-in browser. */
  cookie: z.string(),
  invitation: z.string(),
  /** Undoes a deletion. */
  undo: z.string(),
  undoneName: z.string(),
});
export type Facts = z.infer<typeof factsSchema>;

const savedSchema = z.object({ facts: factsSchema, reads: z.array(readSchema) });

/** Returns what the fixture knows, and the answers of its server. */
export const readSaved = async (version: string) =>
  savedSchema.parse(await Bun.file(join(fixtureOf(version), "expected.json")).json());

export interface Addresses {
  baseUrl: string;
  contentUrl: string;
}

/** Sends a request and describes the answer, without the addresses of this server. */
export async function read(
  { baseUrl, contentUrl }: Addresses,
  { tokens }: Pick<Facts, "tokens">,
  { host, path, as }: Pick<Read, "host" | "path" | "as">,
): Promise<Read> {
  const headers = as === null ? {} : { Authorization: `Bearer ${tokens[as]}` };
  const response = await fetch((host === "app" ? baseUrl : contentUrl) + path, { headers, redirect: "manual" });
  const generic = (text: string) =>
    text.replaceAll(baseUrl, "https://app.example").replaceAll(contentUrl, "https://content.example");
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const location = response.headers.get("location");
  const bytes = await response.bytes();
  return {
    host,
    path,
    as,
    status: response.status,
    ...(location === null ? {} : { location: generic(location) }),
    ...(isFile(path) && response.status === 200
      ? { sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex") }
      : {}),
    body: isJson && !isFile(path) ? JSON.parse(generic(new TextDecoder().decode(bytes))) : null,
  };
}

/** Returns whether a path is that of a published file and not of a page around it. */
const isFile = (path: string) => /^\/[0-9A-Za-z]{16}\/|^\/api\/report\/file/.test(path);

/** Returns a copy of the fixture, as a database in which tests can start a server. */
export async function openFixture(version: string, engine: EngineName): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), "vitrine-upgrade-"));
  await cp(join(fixtureOf(version), "data"), dataDir, { recursive: true });
  const databaseUrl = engine === "sqlite" ? undefined : await loadDump(version);
  if (engine === "sqlite") {
    const file = await Bun.file(join(fixtureOf(version), "vitrine.db.gz")).bytes();
    await Bun.write(join(dataDir, "vitrine.db"), gunzipSync(file));
  }
  return {
    engine,
    dataDir,
    databaseUrl,
    bucket: undefined,
    openStore: () => (databaseUrl === undefined ? openSqlite(dataDir) : openPostgres(databaseUrl)),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

const templates = new Map<string, Promise<string>>();

/** Creates a database with the dump. Loads the dump once, because copies are faster. */
async function loadDump(version: string): Promise<string> {
  const server = await sharedPostgres();
  const template = templates.get(version) ?? server.createDatabase().then((url) => load(url, version));
  templates.set(version, template);
  return server.createDatabase({ template: await template });
}

async function load(url: string, version: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(await Bun.file(join(fixtureOf(version), "postgres.sql")).text()).finally(() => client.end());
  return url;
}
