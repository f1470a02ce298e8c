import { type Client, createClient } from "../../src/client/client.ts";
import type { BodyInput } from "../../src/contract/model/route.ts";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import type { Role, Scope } from "../../src/domain/model/entities.ts";
import type { Plan } from "../../src/domain/model/plans.ts";
import type { Clock, Random } from "../../src/domain/model/ports.ts";
import { createAccounts } from "../../src/domain/people/accounts.ts";
import type { PasswordHasher } from "../../src/domain/people/ports.ts";
import { createTokens } from "../../src/domain/tokens/tokens.ts";
import { REPLICAS, startBehindNginx } from "./behind-nginx.ts";
import { createMigratedDatabase, type EngineName, type TestDatabase } from "./engines.ts";
import { startProgram } from "./program.ts";
import { createReadBack } from "./read-back.ts";
import { IS_EVERYTHING } from "./runs.ts";
import { createBucket } from "./s3.ts";
import { createSharing } from "./shared-service.ts";
import { standIn, use } from "./use.ts";

export const ALL_SCOPES: readonly Scope[] = ["reports:read", "reports:write", "reports:delete"];
/** The password of every user in the tests. */
export const PASSWORD = "correct horse";
export const clock: Clock = { now: Date.now };
export const random: Random = { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) };

interface ServiceOptions {
  engine?: EngineName;
  /** Lets several servers share one database. */
  database?: TestDatabase;
  /** Stores published files in a new bucket instead of the data directory. */
  blobs?: "s3";
  environment?: Record<string, string>;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** Starts the program on free ports with an empty database; as replicas behind nginx if `REPLICAS` says so. */
export async function startService(options: ServiceOptions = {}) {
  const { engine = "sqlite", database: given, blobs, environment = {} } = options;
  const database = given ?? (await createMigratedDatabase(engine));
  const bucket = blobs === "s3" ? await createBucket() : database.bucket;
  const settings = {
    VITRINE_DATA_DIR: database.dataDir,
    VITRINE_PORT: "0",
    VITRINE_CONTENT_PORT: "0",
    VITRINE_RATE_LIMIT: "0",
    ...(database.databaseUrl === undefined ? {} : onPostgres(database.databaseUrl)),
    ...bucket?.environment(),
    ...environment,
  };
  const program = REPLICAS > 1 ? await startBehindNginx(settings, REPLICAS) : await startProgram(settings);
  const { baseUrl, stop } = program;
  const store = await database.openStore();

  return {
    ...program,
    database,
    bucket,
    build: createFactories(store),
    client: (token?: string) => createClient({ baseUrl, token }),
    async [Symbol.asyncDispose]() {
      await stop();
      await store.close();
      if (given === undefined) await database.remove();
    },
  };
}

/** Returns settings with patience for a machine on which many tests run at once. */
const onPostgres = (url: string) => ({ VITRINE_DATABASE_URL: url, VITRINE_DATABASE_TIMEOUT: "120" });

const sharedService = createSharing(async (engine) => {
  const service = await startService({ engine });
  return { ...service, readBack: createReadBack(service) };
});

/** Returns whether tests of several files can share one service: one that runs one program, without settings of its own. */
const canShare = ({ engine: _, environment = {}, ...others }: ServiceOptions): boolean =>
  REPLICAS === 1 && Object.keys({ ...environment, ...others }).length === 0;

/**
 * Provides a service for the tests of a describe block, or of a file. One without settings of its own is shared with other
 * files, so it holds what they published; with all tests, each file ends by reading everything back. If options depend on another fixture, pass a function.
 */
export function useService(options: ServiceOptions | (() => ServiceOptions) = {}): Service {
  if (typeof options === "function") return use(() => startService(options()));
  if (!canShare(options)) return useOwnService(options);
  return use(async () => {
    const service = await sharedService(options.engine ?? "sqlite");
    return { ...service, [Symbol.asyncDispose]: async () => (IS_EVERYTHING ? service.readBack() : undefined) };
  });
}

/** Starts the program before the tests of a describe block, or of a file, and stops it after them. */
export const useOwnService = (options: ServiceOptions = {}): Service => use(() => startService(options));

/** Starts two servers on one database for the tests of a describe block. */
export function useTwoServices(engine: EngineName) {
  const both = use(async () => {
    await using stack = new AsyncDisposableStack();
    const database = await createMigratedDatabase(engine);
    stack.defer(database.remove);
    // Both make the tables, so they start at once.
    const [first, second] = await Promise.all([startService({ database }), startService({ database })]);
    stack.use(first);
    stack.use(second);
    const running = stack.move();
    return { first, second, [Symbol.asyncDispose]: () => running.disposeAsync() };
  });
  const first = standIn(() => both.first);
  const second = standIn(() => both.second);
  /** Takes turns: the first for even numbers, the second for odd ones. */
  return { first, second, at: (index: number) => (index % 2 === 0 ? first : second) };
}

/** Returns functions that add users, tokens and organizations to the store, as the operator's commands do. */
export function createFactories(store: Awaited<ReturnType<TestDatabase["openStore"]>>) {
  // A strong hash takes longer than most tests.
  const passwords: PasswordHasher = {
    hash: (password) => Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 }),
    verify: (password, hash) => Bun.password.verify(password, hash),
  };
  const accounts = createAccounts({ store, clock, random, passwords, defaultPlan: "pro" });
  const tokens = createTokens({ store, clock, random });
  let made = 0;

  async function user(overrides: { slug?: string; plan?: Plan } = {}) {
    const slug = overrides.slug ?? `user-${++made}-${crypto.randomUUID().slice(0, 8)}`;
    const plan = overrides.plan ?? "pro";
    await accounts.createUser({ email: `${slug}@example.org`, slug, plan, password: PASSWORD });
    return { slug, email: `${slug}@example.org`, token: await token({ userSlug: slug }) };
  }

  async function token(wanted: {
    userSlug: string;
    workspaceSlug?: string;
    scopes?: readonly Scope[];
    expiresIn?: number;
  }) {
    const created = await tokens.create({ scopes: ALL_SCOPES, ...wanted });
    return created.token;
  }

  /** Adds an organization with an owner and members, all with tokens that upload into it. */
  async function organization(overrides: { plan?: Plan; roles?: readonly Exclude<Role, "owner">[] } = {}) {
    const owner = await user();
    const slug = `org-${++made}-${crypto.randomUUID().slice(0, 8)}`;
    await accounts.createOrganization({ slug, name: slug, ownerSlug: owner.slug, plan: overrides.plan ?? "pro" });
    const members: { slug: string; token: string }[] = [];
    for (const role of overrides.roles ?? []) {
      const member = await user();
      await accounts.addMember({ organizationSlug: slug, userSlug: member.slug, role });
      members.push({ slug: member.slug, token: await token({ userSlug: member.slug, workspaceSlug: slug }) });
    }
    const ownerToken = await token({ userSlug: owner.slug, workspaceSlug: slug });
    return { slug, owner: { slug: owner.slug, token: ownerToken }, members };
  }

  return { user, token, organization, accounts, tokens, store };
}

export type UploadOverrides = Partial<BodyInput<typeof uploadRoute>>;

/** Returns the body of an upload, which is valid unless overridden. */
export function buildUpload(overrides: UploadOverrides = {}): BodyInput<typeof uploadRoute> {
  return { files: [{ path: "index.html", content: "<!doctype html><title>A report</title><p>Hello" }], ...overrides };
}

/** Publishes a report, which is valid unless overridden. */
export const publishReport = (client: Pick<Client, "call">, overrides?: UploadOverrides) =>
  client.call(uploadRoute, { body: buildUpload(overrides) });

let lastName = 0;

/** Returns a report name that no other test uses. */
export const uniqueName = (prefix = "group") => `${prefix}-${++lastName}-${crypto.randomUUID().slice(0, 8)}`;
