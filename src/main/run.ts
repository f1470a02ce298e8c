import { CommanderError } from "commander";
import packageJson from "../../package.json";
import type { Administer } from "../cli/administration.ts";
import type { Backups } from "../cli/backup.ts";
import type { BlobMaintenance } from "../cli/blobs.ts";
import { readCliContext } from "../cli/cli-context.ts";
import { loadCommands } from "../cli/commands.ts";
import type { Copying } from "../cli/copying.ts";
import type { Finding } from "../cli/doctor.ts";
import type { ServeMcp } from "../cli/mcp.ts";
import { CommandError, EXIT_CODES } from "../cli/output.ts";
import { createProgram } from "../cli/program.ts";
import type { SettingHelp } from "../cli/serve.ts";
import type { DescribeSettings } from "../cli/settings.ts";
import { wrapped } from "../cli/text.ts";
import { Failure } from "../domain/model/failure.ts";
import type { Addresses } from "../domain/model/links.ts";
import { UnreachableError } from "../domain/model/unreachable-error.ts";
import { InstallationMismatch } from "../domain/operations/installation-mismatch.ts";
import type { Accounts } from "../domain/people/accounts.ts";
import type { ServeLive, ServePortalSocket, ServeSiblings, ServeVersion } from "../hosts/app/live/serve-live.ts";
import type { ServeGuest } from "../hosts/app/sharing/serve-guest.ts";
import type { AppSubscription } from "../hosts/live/app-sockets.ts";
import type { Subscription } from "../hosts/live/hub.ts";
import { SettingError } from "../settings/setting-error.ts";
import type { Settings } from "../settings/settings.ts";
import { clock } from "./ports.ts";

/** How long the database may take to close, in milliseconds, after open requests have ended. */
const CLOSE_GRACE = 1_500;

const administer: Administer = async (work, options) => {
  const [{ findUnknownSettings }, { createAdminister }] = await Promise.all([
    import("../settings/settings.ts"),
    import("./administration.ts"),
  ]);
  warn(findUnknownSettings(process.env));
  return createAdminister(process.env)(work, options);
};

async function serve(flags: Readonly<Record<string, string>>): Promise<void> {
  const [{ findUnknownSettings, readSettings }, { openShared }] = await Promise.all([
    import("../settings/settings.ts"),
    import("./open.ts"),
  ]);
  const environment = { ...process.env, ...flags };
  const settings = readSettings(environment);
  warn(findUnknownSettings(process.env));
  const [{ createServerThreads }, { createObservability }] = await Promise.all([
    import("./threads.ts"),
    import("./observability.ts"),
  ]);
  const tasks = settings.backup ? (await import("./scheduled-backup.ts")).createBackupTasks(settings, environment) : [];
  const observability = await createObservability(settings);
  const { log, meters } = observability;
  const opening = openShared(settings, createServerThreads(log), observability);
  opening.catch(() => undefined);
  const { keepPortalUsed, preparePortal } = await import("./portal.ts");
  const { openPortal } = await import("../hosts/app/portal/files.ts");
  const portalPlace = await preparePortal();
  const portal = await openPortal(portalPlace);
  const { listen } = await import("../hosts/http/listen.ts");
  const { createHosts } = await import("./hosts.ts");
  const { appSockets } = await import("../hosts/live/app-sockets.ts");
  const { untilStopSignal } = await import("../hosts/http/stop-signal.ts");
  const { listenForMetrics } = await import("./metrics.ts");
  const listenAt = <Data>(name: PortSetting, port: number, addresses = settings.hosts) => {
    try {
      return listen<Data>(addresses, port, clock);
    } catch (error) {
      throw explainListening(error, name, port, addresses);
    }
  };
  // Listen only once the database answers, so that early clients don't wait for it.
  const { stopHearing, place, ...shared } = await opening;
  const { installationOf } = await import("./installation.ts");
  await (await installationOf(settings, shared)).requireMatch();
  const appListener = listenAt<AppSubscription>("VITRINE_PORT", settings.port);
  const contentListener = listenAt<Subscription>("VITRINE_CONTENT_PORT", settings.contentPort);
  const addresses: Addresses = {
    baseUrl: settings.baseUrl ?? `http://localhost:${appListener.port}`,
    contentUrl: settings.contentUrl ?? `http://127.0.0.1:${contentListener.port}`,
  };
  const hosts = await createHosts(settings, { ...shared, addresses, portal, observability, tasks });
  const { app, content, findAddress, publicLive, privateLive, guests, portalSocket, readiness, accounts, schedule } =
    hosts;
  appListener.handle(
    (request, server) => {
      const serveLive: ServeLive = (asked) => privateLive.serve({ ...asked, request, server });
      const serveVersion: ServeVersion = (version) => privateLive.serveVersion(request, version);
      const serveSiblings: ServeSiblings = (question) => privateLive.serveSiblings(request, question);
      const servePortalSocket: ServePortalSocket = (requireSession) =>
        portalSocket.serve({ request, server, requireSession });
      const address = findAddress(request, server);
      const serveGuest: ServeGuest = (question) => guests.serve({ ...question, request, server, address });
      return app.fetch(request, { address, serveLive, serveVersion, serveSiblings, servePortalSocket, serveGuest });
    },
    appSockets(
      meters?.countSockets("live", privateLive.sockets) ?? privateLive.sockets,
      meters?.countSockets("portal", portalSocket.sockets) ?? portalSocket.sockets,
    ),
  );
  contentListener.handle(content.fetch, meters?.countSockets("live", publicLive.sockets) ?? publicLive.sockets);
  const metricsListener = await listenForMetrics(settings.metrics, hosts, (port, at) =>
    listenAt<undefined>("VITRINE_METRICS_PORT", port, at),
  );
  schedule.start();
  void hosts.seen.load();
  const portalUse = keepPortalUsed(portalPlace);
  // Listen for signals before the announcement, because its reader may stop the server at once.
  const stopSignal = untilStopSignal();
  // The announcement reads the database, which may hang.
  await Promise.race([announce(settings, { ...addresses, metricsUrl: metricsListener?.url }, accounts), stopSignal]);
  await stopSignal;
  readiness.stop();
  const tasksEnded = schedule.stop();
  portalUse.stop();
  await Bun.sleep(settings.stopDelay);
  publicLive.stop();
  privateLive.stop();
  portalSocket.stop();
  await Promise.all([appListener, contentListener].map((listener) => listener.stop(settings.stopGrace)));
  await metricsListener?.stop(0);
  app.stop();
  content.stop();
  const { clearing, seen, guestUses } = hosts;
  const workEnded = Promise.all([tasksEnded, clearing.settled(), seen.close(), guestUses.settled()]);
  const closed = workEnded.then(stopHearing).then(shared.store.close).then(place.close);
  // Don't wait for a database that doesn't answer.
  await Promise.race([Promise.all([closed, observability.stop()]), Bun.sleep(CLOSE_GRACE)]);
}

type PortSetting = "VITRINE_PORT" | "VITRINE_CONTENT_PORT" | "VITRINE_METRICS_PORT";

function explainListening(error: unknown, name: PortSetting, port: number, [host]: readonly string[]): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return new SettingError(
      `Port ${port} is already in use (${name}). Stop the program that uses it, or set another port.`,
    );
  if (code === "EACCES")
    return new SettingError(`This user isn't allowed to use port ${port} (${name}). Set a port above 1023.`);
  const hostName = name === "VITRINE_METRICS_PORT" ? "VITRINE_METRICS_HOST" : "VITRINE_HOST";
  if (code === "EADDRNOTAVAIL")
    return new SettingError(`"${host}" isn't an address of this machine (${hostName}). Set one that it has.`);
  return error;
}

async function announce(
  settings: Settings,
  addresses: Addresses & { metricsUrl: string | undefined },
  accounts: Accounts,
): Promise<void> {
  const { dataDir, databaseUrl, s3 } = settings;
  const { announceFirstSteps, announceServer } = await import("../cli/announcement.ts");
  const program = Bun.isStandaloneExecutable ? process.execPath : "bin/vitrine";
  const running = { ...addresses, program, dataDir, databaseUrl, bucketUrl: s3?.bucketUrl };
  announceServer(output, running);
  // If the database is unreachable now, omit only the first steps.
  const secret = await firstSecret(accounts).catch(() => undefined);
  if (secret !== undefined) announceFirstSteps(output, running, `${addresses.baseUrl}/-/set-up?token=${secret}`);
}

/** Returns the secret of a new set-up link, or undefined if there are users. */
async function firstSecret(accounts: Accounts): Promise<string | undefined> {
  return (await accounts.countUsers()) > 0 ? undefined : accounts.createSetUpLink();
}

/** Serves MCP over standard input and output until the input ends. */
const serveMcp: ServeMcp = async ({ url, token, roots }) => {
  const [{ serveStdio }, { createDiffThread }, { createLocalFileReader }, { createClient }, { createThreads }] =
    await Promise.all([
      import("../mcp/stdio.ts"),
      import("../mcp/diff-thread.ts"),
      import("../mcp/local-files.ts"),
      import("../client/client.ts"),
      import("../threads/threads.ts"),
    ]);
  const client = createClient({ baseUrl: url, token });
  const readLocalFile = createLocalFileReader(roots);
  await serveStdio({
    client,
    baseUrl: url,
    version: packageJson.version,
    readLocalFile,
    diffTexts: createDiffThread(createThreads()),
    note: output.note,
  });
};

const checkHealth = async () => (await import("./health.ts")).findProblem(process.env);

const copying: Copying = {
  copyBlobs: async (places, observer) => (await import("./moving.ts")).copyBlobs(places, observer, process.env),
  copyDatabase: async (places, observer) => (await import("./moving.ts")).copyDatabase(places, observer),
};

const backups: Backups = {
  backUp: async (request, observer) => (await import("./backing-up.ts")).backUp(request, observer, process.env),
  list: async (source) => (await import("./restoring.ts")).listBackups(source, process.env),
  restore: async (request, observer) => (await import("./restoring.ts")).restore(request, observer, process.env),
  verify: async (request, observer) => (await import("./verifying.ts")).verify(request, observer, process.env),
};

const maintenance: BlobMaintenance = {
  describeInstallation: async () => (await loadMaintenance()).describeInstallation(),
  adopt: async () => (await loadMaintenance()).adopt(),
  listDamaged: async (options) => (await loadMaintenance()).listDamaged(options),
  findHeldSweep: async () => (await loadMaintenance()).findHeldSweep(),
  confirmSweep: async (orphans) => (await loadMaintenance()).confirmSweep(orphans),
};

const loadMaintenance = async () => (await import("./installation.ts")).createBlobMaintenance(process.env);

const describeSettings: DescribeSettings = async (flags) =>
  (await import("./settings.ts")).describeSettings(process.env, flags);

async function* examine(flags: Readonly<Record<string, string>>): AsyncGenerator<Finding> {
  yield* (await import("./doctor/examine.ts")).examine(process.env, flags);
}

const context = readCliContext(process.env);
const { output } = context;

async function settingHelp(): Promise<SettingHelp[]> {
  const { SETTINGS } = await import("../settings/table.ts");
  return Object.entries(SETTINGS).map(([name, setting]) => ({ name, ...setting }));
}

/** Prints an error and returns its exit code, see `vitrine help exit-codes`. `main/threads.ts` exits with 70. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof SettingError || error instanceof InstallationMismatch) {
    return complain(error.message, EXIT_CODES.usage);
  }
  if (error instanceof UnreachableError) return complain(error.message, EXIT_CODES.tryLater);
  if (error instanceof CommandError) return complain(error.message, error.exitCode);
  if (error instanceof Failure) return complain(error.message, 1);
  return complain(error instanceof Error ? error.message : String(error), 1);
}

function warn(warnings: readonly string[]): void {
  for (const warning of warnings) output.note(`vitrine: ${warning}`);
}

function complain(message: string, exitCode: number): number {
  // Some commands answer with the exit code alone.
  if (message !== "") output.note(wrapped(output, `vitrine: ${message}`));
  return exitCode;
}

let exitCode = 0;
// -V printed the version before -v did.
const args = process.argv.slice(2).map((word, position) => (position === 0 && word === "-V" ? "-v" : word));
try {
  const commands = await loadCommands(args, {
    context,
    administer,
    backups,
    copying,
    maintenance,
    serve,
    checkHealth,
    serveMcp,
    settingHelp,
    describeSettings,
    examine,
  });
  await createProgram(packageJson.version, commands, output).parseAsync(args, { from: "user" });
} catch (error) {
  exitCode = exitCodeOf(error);
}
await output.flush();
process.exit(exitCode);
