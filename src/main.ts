import { access, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CommanderError } from "commander";
import packageJson from "../package.json";
import type { Administer, Administration } from "./cli/administration.ts";
import { loadCommands } from "./cli/commands.ts";
import { CommandError, endWithReader } from "./cli/output.ts";
import { createProgram } from "./cli/program.ts";
import type { SettingHelp } from "./cli/serve.ts";
import { readSurroundings } from "./cli/surroundings.ts";
import type { Accounts } from "./domain/accounts.ts";
import { Failure } from "./domain/failure.ts";
import type { Addresses } from "./domain/links.ts";
import type { Blobs, Clock, Events, PasswordHasher, Random, Store } from "./domain/ports.ts";
import { SettingError } from "./domain/setting-error.ts";
import type { ServeLive, ServePortalSocket } from "./hosts/app/serve-live.ts";
import type { Log } from "./hosts/failures.ts";
import type { AppSubscription } from "./hosts/live/app-sockets.ts";
import type { Subscription } from "./hosts/live/hub.ts";
import type { Settings } from "./settings.ts";

const clock: Clock = { now: Date.now };
const random: Random = { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) };
const passwords: PasswordHasher = {
  hash: (password) => Bun.password.hash(password, "argon2id"),
  verify: (password, hash) => Bun.password.verify(password, hash).catch(() => false),
};
const log: Log = {
  error({ message, requestId, error }) {
    const detail = error instanceof Error ? error.stack : String(error);
    process.stderr.write(
      `${JSON.stringify({ time: new Date().toISOString(), level: "error", message, requestId, detail })}\n`,
    );
  },
};

async function openStore({ databaseUrl, dataDir }: Settings): Promise<Store> {
  if (databaseUrl !== undefined) {
    const { openPostgres } = await import("./store/postgres/open.ts");
    return openPostgres(databaseUrl).catch((error) => {
      throw new SettingError(`VITRINE_DATABASE_URL cannot be used: ${reasonOf(error)}`);
    });
  }
  const { openSqlite } = await import("./store/sqlite/open.ts");
  return openSqlite(dataDir).catch((error) => {
    throw unusableDataDir(dataDir, error);
  });
}

async function openBlobs(settings: Settings): Promise<Blobs> {
  const { openBlobs: open } = await import("./blobs/open.ts");
  return open({ ...settings, clock, random }).catch((error) => {
    throw new SettingError(`VITRINE_BLOBS_URL cannot be used: ${reasonOf(error)}`);
  });
}

async function prepareDataDir({ dataDir }: Settings): Promise<void> {
  const blobs = join(dataDir, "blobs");
  try {
    await mkdir(blobs, { recursive: true, mode: 0o700 });
    await access(blobs, constants.W_OK);
  } catch (error) {
    throw unusableDataDir(dataDir, error);
  }
}

const unusableDataDir = (dataDir: string, error: unknown) =>
  new SettingError(`VITRINE_DATA_DIR "${dataDir}" cannot be used: ${reasonOf(error)}`);

const administer: Administer = async (work) => {
  const { readSettings } = await import("./settings.ts");
  const settings = readSettings(process.env);
  await prepareDataDir(settings);
  const store = await openStore(settings);
  try {
    return await work(await createAdministration(store, settings));
  } finally {
    await store.close();
  }
};

async function createAdministration(store: Store, { defaultPlan }: Settings): Promise<Administration> {
  const [{ createAccounts }, { createTokens, parseDuration }] = await Promise.all([
    import("./domain/accounts.ts"),
    import("./domain/tokens.ts"),
  ]);
  const accounts = createAccounts({ store, clock, random, passwords, defaultPlan });
  const tokens = createTokens({ store, clock, random });
  return {
    ...accounts,
    createToken: ({ expires, ...wanted }) =>
      tokens.create({ ...wanted, expiresIn: expires === undefined ? undefined : parseDuration(expires) }),
    listTokens: tokens.list,
    revokeToken: tokens.revoke,
  };
}

async function createHosts(settings: Settings, addresses: Addresses, store: Store, blobs: Blobs, events: Events) {
  const [domain, { createAppHost }, { createContentHost }, { createLiveServer }, portal] = await Promise.all([
    import("./domain/services.ts"),
    import("./hosts/app/server.ts"),
    import("./hosts/content/server.ts"),
    import("./hosts/live/server.ts"),
    import("./hosts/live/portal-socket.ts"),
  ]);
  const [{ createAccounts }, { createTokens }, { loadSecret }] = await Promise.all([
    import("./domain/accounts.ts"),
    import("./domain/tokens.ts"),
    import("./store/secret.ts"),
  ]);
  const secret = settings.secret ?? (await loadSecret(settings.dataDir, random));
  const { isSignUpOpen } = settings;
  const parts = { store, blobs, events, clock, random, log, addresses, secret, passwords, isSignUpOpen };
  const privateLinks = domain.createPrivateLinks(parts);
  const accounts = createAccounts({ ...parts, defaultPlan: settings.defaultPlan });
  const tokens = createTokens(parts);
  const links = domain.createLinks(addresses);
  const live = domain.createLive({ store, links });
  const reading = domain.createReading(parts);
  const app = createAppHost({
    ...parts,
    accounts,
    privateLinks,
    live,
    liveReaders: domain.createLiveReaders({ ...parts, links }),
    tokens,
    account: domain.createAccount({ ...parts, quotas: settings.quotas }),
    sessions: domain.createSessions(parts),
    identities: domain.createIdentities({ ...parts, defaultPlan: settings.defaultPlan }),
    oidc: settings.oidc,
    rateLimit: settings.rateLimit,
    publish: domain.createPublish({ ...parts, links, quotas: settings.quotas }),
    groups: domain.createGroups(parts),
    details: domain.createDetails({ ...parts, links, privateLinks }),
    reading,
    reports: domain.createReports(parts),
    visibilities: domain.createVisibilities(parts),
    filing: domain.createFiling(parts),
    lists: domain.createLists({ store, cursors: domain.createCursors(parts) }),
    links,
    search: domain.createSearch({ store, cursors: domain.createCursors(parts) }),
    signUp: domain.createSignUp({ accounts, isSignUpOpen }),
    organizations: domain.createOrganizations({ ...parts, accounts }),
    members: domain.createMembers(parts),
    invitations: domain.createInvitations({ ...parts, accounts }),
    cabinet: domain.createCabinet(parts),
    tags: domain.createTags(parts),
    items: domain.createItems(parts),
    shortcuts: domain.createShortcuts(parts),
    publicCodes: async (code) => (await store.serve.findVisibility(code)) === "public",
    openApi: async () => JSON.stringify((await import("../openapi.json")).default),
  });
  const serveLiveAt = (own: string) =>
    createLiveServer({
      ...parts,
      live,
      origins: { own, content: addresses.contentUrl },
      limits: settings.sockets,
    });
  const publicLive = serveLiveAt(addresses.contentUrl);
  const privateLive = serveLiveAt(addresses.baseUrl);
  const portalSocket = portal.createPortalSocket({ ...parts, baseUrl: addresses.baseUrl, limits: settings.sockets });
  const content = createContentHost<Subscription>({
    ...parts,
    store: store.serve,
    privateLinks,
    tokens,
    reading,
    serveLive: (request, link, server, missing) =>
      publicLive.serve({ request, server, ...link, reader: live.anyone, missing }),
  });
  return { app, content, publicLive, privateLive, portalSocket, accounts, sweep: domain.createSweep(parts) };
}

async function serve(flags: Readonly<Record<string, string>>): Promise<void> {
  const { readSettings } = await import("./settings.ts");
  const settings = readSettings({ ...process.env, ...flags });
  await prepareDataDir(settings);
  const opening = Promise.all([openStore(settings), openBlobs(settings)]);
  opening.catch(() => undefined);
  const { listen } = await import("./hosts/listen.ts");
  const { appSockets } = await import("./hosts/live/app-sockets.ts");
  const { createLocalEvents } = await import("./events/local.ts");
  const { peerAddress } = await import("./hosts/peer-address.ts");
  const { keepSwept, untilToldToStop } = await import("./hosts/upkeep.ts");
  const listenAt = <Data>(name: "VITRINE_PORT" | "VITRINE_CONTENT_PORT", port: number) => {
    try {
      return listen<Data>(settings.hosts, port);
    } catch (error) {
      throw explainListening(error, name, port, settings);
    }
  };
  const appListener = listenAt<AppSubscription>("VITRINE_PORT", settings.port);
  const contentListener = listenAt<Subscription>("VITRINE_CONTENT_PORT", settings.contentPort);
  const addresses: Addresses = {
    baseUrl: settings.baseUrl ?? `http://localhost:${appListener.port}`,
    contentUrl: settings.contentUrl ?? `http://127.0.0.1:${contentListener.port}`,
  };
  const [store, blobs] = await opening;
  const events = createLocalEvents();
  const hosts = await createHosts(settings, addresses, store, blobs, events);
  const { app, content, publicLive, privateLive, portalSocket, accounts, sweep } = hosts;
  appListener.handle(
    (request, server) => {
      const serveLive: ServeLive = (asked) => privateLive.serve({ ...asked, request, server });
      const servePortalSocket: ServePortalSocket = (requireSession) =>
        portalSocket.serve({ request, server, requireSession });
      return app.fetch(request, { address: peerAddress(request, server), serveLive, servePortalSocket });
    },
    appSockets(privateLive.sockets, portalSocket.sockets),
  );
  contentListener.handle(content.fetch, publicLive.sockets);
  const sweeping = keepSwept(sweep, log);
  // Listened for before anybody is told that it runs: who is told may stop it at once.
  const toldToStop = untilToldToStop();
  await announce(settings, addresses, accounts);
  await toldToStop;
  sweeping.stop();
  publicLive.stop();
  privateLive.stop();
  portalSocket.stop();
  await Promise.all([appListener.stop(), contentListener.stop()]);
  app.stop();
  content.stop();
  await store.close();
}

function explainListening(error: unknown, portName: string, port: number, { hosts }: Settings): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return new SettingError(`${portName} ${port} is in use already.`);
  if (code === "EACCES") return new SettingError(`${portName} ${port} may not be used by this user.`);
  if (code === "EADDRNOTAVAIL") return new SettingError(`VITRINE_HOST "${hosts[0]}" is no address of this machine.`);
  return error;
}

/** A connection that failed on several addresses has a message for each and none of its own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? reasonOf(error.errors[0]) : error instanceof Error ? error.message : String(error);

async function announce(settings: Settings, addresses: Addresses, accounts: Accounts): Promise<void> {
  const { dataDir, databaseUrl, s3 } = settings;
  const { announceFirstSteps, announceServer } = await import("./cli/announcement.ts");
  const running = { ...addresses, dataDir, databaseUrl, bucketUrl: s3?.bucketUrl };
  announceServer(output, running);
  // Whether to explain the first steps is no reason to end, should the database be away just now.
  const secret = await firstSecret(accounts).catch(() => undefined);
  if (secret !== undefined) announceFirstSteps(output, running, `${addresses.baseUrl}/-/set-up?token=${secret}`);
}

/** The secret of a set-up link, while there is nobody. */
async function firstSecret(accounts: Accounts): Promise<string | undefined> {
  return (await accounts.countUsers()) > 0 ? undefined : accounts.createSetUpLink();
}

const surroundings = readSurroundings(process.env);
const { output } = surroundings;

async function settingHelp(): Promise<SettingHelp[]> {
  const { SETTINGS } = await import("./settings.ts");
  return Object.entries(SETTINGS).map(([name, setting]) => ({ name, ...setting }));
}

/** As `vitrine help exit-codes` says. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof SettingError) return complain(error.message, 2);
  if (error instanceof CommandError) return complain(error.message, error.exitCode);
  if (error instanceof Failure) return complain(error.message, 1);
  return complain(error instanceof Error ? error.message : String(error), 1);
}

function complain(message: string, exitCode: number): number {
  output.note(`vitrine: ${message}`);
  return exitCode;
}

endWithReader(() => process.exit(0));
let exitCode = 0;
try {
  const commands = await loadCommands(process.argv.slice(2), { surroundings, administer, serve, settingHelp });
  await createProgram(packageJson.version, commands).parseAsync(process.argv);
} catch (error) {
  exitCode = exitCodeOf(error);
}
await output.flush();
process.exit(exitCode);
