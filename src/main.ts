import { access, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Command, CommanderError } from "commander";
import packageJson from "../package.json";
import type { Administer, Administration } from "./cli/administration.ts";
import { orgsCommand } from "./cli/orgs.ts";
import { CommandError, terminalOutput } from "./cli/output.ts";
import { plansCommand } from "./cli/plans.ts";
import { publishCommand } from "./cli/publish.ts";
import { serveCommand } from "./cli/serve.ts";
import { tokensCommand } from "./cli/tokens.ts";
import { usersCommand } from "./cli/users.ts";
import { createClient } from "./client/client.ts";
import { createAccounts } from "./domain/accounts.ts";
import { Failure } from "./domain/failure.ts";
import type { Addresses } from "./domain/links.ts";
import type { Blobs, Clock, Events, Random, Store } from "./domain/ports.ts";
import { createTokens, parseDuration } from "./domain/tokens.ts";
import type { Log } from "./hosts/failures.ts";
import {
  type ClientSettings,
  readClientSettings,
  readSettings,
  SETTINGS,
  SettingError,
  type Settings,
} from "./settings.ts";

const SWEEP_DELAY = 60_000;
const SWEEP_INTERVAL = 24 * 60 * 60_000;

const clock: Clock = { now: Date.now };
const random: Random = { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) };
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
  const settings = readSettings(process.env);
  await prepareDataDir(settings);
  const store = await openStore(settings);
  try {
    return await work(createAdministration(store, settings));
  } finally {
    await store.close();
  }
};

function createAdministration(store: Store, { defaultPlan }: Settings): Administration {
  const passwords = { hash: (password: string) => Bun.password.hash(password, "argon2id") };
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
  const [domain, { createAppHost }, { createContentHost }] = await Promise.all([
    importDomain(),
    import("./hosts/app/server.ts"),
    import("./hosts/content/server.ts"),
  ]);
  const parts = { store, blobs, events, clock, random, log, addresses };
  const tokens = createTokens(parts);
  const links = domain.createLinks(addresses);
  const app = createAppHost({
    ...parts,
    tokens,
    rateLimit: settings.rateLimit,
    publish: domain.createPublish({ ...parts, links, quotas: settings.quotas }),
    groups: domain.createGroups(parts),
    reports: domain.createReports(parts),
    visibilities: domain.createVisibilities(parts),
    filing: domain.createFiling(parts),
    lists: domain.createLists(parts),
    publicCodes: async (code) => (await store.serve.findVisibility(code)) === "public",
    openApi: async () => JSON.stringify((await import("../openapi.json")).default),
  });
  const content = createContentHost({ ...parts, store: store.serve, tokens, reading: domain.createReading(parts) });
  return { app, content, sweep: domain.createSweep(parts) };
}

async function importDomain() {
  const modules = await Promise.all([
    import("./domain/links.ts"),
    import("./domain/publish.ts"),
    import("./domain/groups.ts"),
    import("./domain/reports.ts"),
    import("./domain/visibility.ts"),
    import("./domain/filing.ts"),
    import("./domain/lists.ts"),
    import("./domain/reading.ts"),
    import("./domain/sweep.ts"),
  ]);
  const [links, publish, groups, reports, visibility, filing, lists, reading, sweep] = modules;
  return { ...links, ...publish, ...groups, ...reports, ...visibility, ...filing, ...lists, ...reading, ...sweep };
}

async function serve(flags: Readonly<Record<string, string>>): Promise<void> {
  const settings = readSettings({ ...process.env, ...flags });
  await prepareDataDir(settings);
  const opening = openStore(settings);
  opening.catch(() => undefined);
  const { listen } = await import("./hosts/listen.ts");
  const { createFileBlobs } = await import("./blobs/fs.ts");
  const { createLocalEvents } = await import("./events/local.ts");
  const listenAt = (name: "VITRINE_PORT" | "VITRINE_CONTENT_PORT", port: number) => {
    try {
      return listen(settings.hosts, port);
    } catch (error) {
      throw explainListening(error, name, port, settings);
    }
  };
  const appListener = listenAt("VITRINE_PORT", settings.port);
  const contentListener = listenAt("VITRINE_CONTENT_PORT", settings.contentPort);
  const addresses: Addresses = {
    baseUrl: settings.baseUrl ?? `http://localhost:${appListener.port}`,
    contentUrl: settings.contentUrl ?? `http://127.0.0.1:${contentListener.port}`,
  };
  const store = await opening;
  const blobs = createFileBlobs(join(settings.dataDir, "blobs"));
  const { app, content, sweep } = await createHosts(settings, addresses, store, blobs, createLocalEvents());
  appListener.handle(app.fetch);
  contentListener.handle(content.fetch);
  const sweeping = keepSwept(sweep);
  // Listened for before anybody is told that it runs: who is told may stop it at once.
  const toldToStop = untilToldToStop();
  await announce(settings, addresses, store);
  await toldToStop;
  sweeping.stop();
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

function keepSwept(sweep: { run(): Promise<number> }) {
  const run = () => {
    sweep.run().catch((error) => log.error({ message: "Sweeping the blob store failed.", requestId: "", error }));
  };
  const first = setTimeout(run, SWEEP_DELAY);
  const daily = setInterval(run, SWEEP_INTERVAL);
  return {
    stop() {
      clearTimeout(first);
      clearInterval(daily);
    },
  };
}

async function announce(settings: Settings, { baseUrl, contentUrl }: Addresses, store: Store): Promise<void> {
  output.note("Vitrine is running.");
  output.note(`  application  ${baseUrl}`);
  output.note(`  content      ${contentUrl}`);
  output.note(
    `  data         ${settings.databaseUrl === undefined ? settings.dataDir : `PostgreSQL, and ${settings.dataDir}`}`,
  );
  // Whether to explain the first steps is no reason to end, should the database be away just now.
  if ((await store.accounts.countUsers().catch(() => undefined)) !== 0) return;
  const same =
    settings.dataDir === join(process.cwd(), "vitrine-data") ? "" : `VITRINE_DATA_DIR=${quote(settings.dataDir)} `;
  const place =
    settings.databaseUrl === undefined ? "another terminal" : "another terminal with this VITRINE_DATABASE_URL";
  output.note(`\nNobody can publish yet. In ${place}, make a user and a token, and publish something:`);
  output.note(`  ${same}bin/vitrine users create --email you@example.org --slug you`);
  output.note(
    `  export VITRINE_TOKEN=$(${same}bin/vitrine tokens create --user you --scopes reports:read,reports:write)`,
  );
  output.note(
    `  ${baseUrl === "http://localhost:4000" ? "" : `VITRINE_URL=${baseUrl} `}bin/vitrine publish my-report/ --name my-report --public`,
  );
}

/** A word as a POSIX shell reads it back. */
const quote = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function untilToldToStop(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}

function connect({ url, token }: ClientSettings) {
  return (flag: string | undefined) => {
    const baseUrl = flag ?? url;
    if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
      const name = flag === undefined ? "VITRINE_URL" : "--url";
      throw new CommandError(`${name} must be an address such as http://localhost:4000, not "${baseUrl}".`, 2);
    }
    if (token !== undefined && !/^[!-~]+$/.test(token)) {
      throw new CommandError("VITRINE_TOKEN must be a token as `vitrine tokens create` prints it.", 2);
    }
    return { client: createClient({ baseUrl, token }), baseUrl };
  };
}

const output = terminalOutput;

function createProgram(): Command {
  const program = new Command("vitrine")
    .description("Publishes self-contained HTML reports as immutable snapshots with permanent links.")
    .version(packageJson.version)
    .addCommand(
      serveCommand(
        Object.entries(SETTINGS).map(([name, setting]) => ({ name, ...setting })),
        serve,
      ),
    )
    .addCommand(publishCommand(connect(readClientSettings(process.env)), output))
    .addCommand(usersCommand(administer, output))
    .addCommand(orgsCommand(administer, output))
    .addCommand(tokensCommand(administer, output))
    .addCommand(plansCommand(administer, output));
  for (const command of program.commands) exitByThrowing(command);
  return exitByThrowing(program);
}

/** Commands inherit this only when they are made by their parent, and these are not. */
function exitByThrowing(command: Command): Command {
  for (const inner of command.commands) exitByThrowing(inner);
  return command.exitOverride().showHelpAfterError("(add --help for what is possible)");
}

/** 0 it worked, 1 it failed, 2 it was typed or set wrongly. */
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

try {
  await createProgram().parseAsync(process.argv);
  process.exit(0);
} catch (error) {
  process.exit(exitCodeOf(error));
}
