import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, escapeIdentifier } from "pg";
import { findFreePort } from "./ports.ts";
import { until } from "./until.ts";

interface PostgresOptions {
  /** Syncs as a real server does. Slower; for tests of durability. */
  durable?: boolean;
  /** Further server settings, such as `{ max_connections: "20" }`. */
  settings?: Record<string, string>;
}

interface DatabaseOptions {
  /** URL of a database on the same server to copy. It must have no connections. */
  template?: string | undefined;
}

export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  isRunning(): boolean;
  /** Holds the data and the log. */
  readonly directory: string;
  url(database: string): string;
  /** Creates a database and resolves to its URL. */
  createDatabase(options?: DatabaseOptions): Promise<string>;
  /** Drops a database, even if it has connections. */
  dropDatabase(url: string): Promise<void>;
  /** Stops the server and keeps the data. `immediate` is a crash: the next start recovers from the log. */
  stop(mode?: "fast" | "immediate"): Promise<void>;
  /** Restarts a stopped server with the same port and data. */
  start(): Promise<void>;
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
}

const superuser = "vitrine";
const isRoot = process.getuid?.() === 0;

function output(command: string, ...args: string[]): string | undefined {
  try {
    return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

function findBinaries(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return [
    output("pg_config", "--bindir"),
    ...versions.map((version) => `${debian}/${version}/bin`),
    ...(process.env.PATH ?? "").split(":"),
  ].find((directory) => directory && existsSync(`${directory}/postgres`) && existsSync(`${directory}/initdb`));
}

/** Returns a user to run PostgreSQL as, which refuses to run as root. */
function findAccount(): { uid: number; gid: number } | undefined {
  for (const user of ["postgres", "nobody"]) {
    const uid = output("id", "-u", user);
    if (uid) return { uid: Number(uid), gid: Number(output("id", "-g", user)) };
  }
  return undefined;
}

/** Returns why PostgreSQL can't run here, or undefined. */
export function postgresUnavailable(): string | undefined {
  if (!findBinaries()) return "PostgreSQL is missing (Debian package postgresql)";
  if (isRoot && !findAccount()) return "PostgreSQL doesn't run as root, and there is no user postgres or nobody";
  return undefined;
}

/**
 * Starts a shell that stops the server and deletes its directory when this process ends, even by SIGKILL: then the pipe
 * that it reads from is closed. It runs in its own session, out of reach of signals to our process group.
 */
function startWatchdog(directory: string): ChildProcess {
  const script = `
    cat
    pidfile=$1/data/postmaster.pid
    if read -r pid <"$pidfile"; then
      case $(ps -o comm= -p "$pid") in postgres*) kill -QUIT "$pid" ;; esac
      for _ in $(seq 500); do [ -e "$pidfile" ] || break; sleep 0.01; done
    fi
    rm -rf "$1"`;
  const watchdog = spawn("sh", ["-c", script, "sh", directory], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watchdog.unref();
  return watchdog;
}

const databaseName = (url: string) => escapeIdentifier(new URL(url).pathname.slice(1));

const flags = (settings: Record<string, string>) =>
  Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** Starts a server in a new temporary directory. Both are removed when this process ends. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const unavailable = postgresUnavailable();
  if (unavailable) throw new Error(unavailable);
  const binaries = findBinaries();
  const account = isRoot ? findAccount() : undefined;
  const port = await findFreePort();
  const directory = mkdtempSync(join(tmpdir(), "vitrine-postgres-"));
  if (account) chownSync(directory, account.uid, account.gid);
  const watchdog = startWatchdog(directory);
  const data = join(directory, "data");
  const logFile = join(directory, "log");
  const settings = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    ...(options.durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    ...options.settings,
  };

  const run = (program: string, ...args: string[]): ChildProcess => {
    const log = openSync(logFile, "a");
    const child = spawn(`${binaries}/${program}`, args, {
      ...account,
      cwd: directory,
      detached: true,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    return child;
  };
  const failed = (program: string) => new Error(`${program} failed:\n${readFileSync(logFile, "utf8")}`);

  const initdb = run("initdb", "-D", data, "-U", superuser, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N");
  const [code] = await once(initdb, "exit");
  if (code !== 0) throw failed("initdb");

  let postgres: ChildProcess | undefined;
  const isRunning = () => postgres?.exitCode === null && postgres.signalCode === null;

  /** Reads postmaster.pid: its first line is the process id, its last one says "ready". */
  const isReady = () => {
    const [pid, ...rest] = existsSync(`${data}/postmaster.pid`)
      ? readFileSync(`${data}/postmaster.pid`, "utf8").split("\n")
      : [];
    return pid === String(postgres?.pid) && rest.some((line) => line.startsWith("ready"));
  };

  async function administer(statement: string): Promise<void> {
    const client = new Client({ connectionString: server.url("postgres") });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }

  const server: PostgresServer = {
    port,
    directory,
    isRunning,
    url: (database) => `postgres://${superuser}@127.0.0.1:${port}/${database}`,
    async createDatabase({ template } = {}) {
      const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
      await administer(`create database ${name} template ${template ? databaseName(template) : "template1"}`);
      return server.url(name);
    },
    dropDatabase: (url) => administer(`drop database ${databaseName(url)} with (force)`),
    async start() {
      if (isRunning()) throw new Error("The server is already running.");
      postgres = run("postgres", "-D", data, ...flags(settings));
      postgres.unref();
      await until(() => {
        if (!isRunning()) throw failed("postgres");
        return isReady();
      });
    },
    async stop(mode = "fast") {
      if (!postgres || !isRunning()) return;
      const exit = once(postgres, "exit");
      postgres.kill(mode === "fast" ? "SIGINT" : "SIGQUIT");
      await exit;
    },
    async remove() {
      await server.stop("immediate");
      if (watchdog.exitCode !== null) return;
      const exit = once(watchdog, "exit");
      watchdog.stdin?.end();
      await exit;
    },
    [Symbol.asyncDispose]: () => server.remove(),
  };
  await server.start();
  return server;
}

let shared: Promise<PostgresServer> | undefined;

/** Returns the server that all tests of this process share, and starts it when first needed. */
export async function sharedPostgres(): Promise<PostgresServer> {
  // When a test runs out of time, Bun kills the processes that it started, maybe this server too.
  if (shared !== undefined && !(await shared).isRunning()) shared = undefined;
  shared ??= startPostgres();
  return shared;
}
