import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Nginx, nginxUnavailable, startNginx } from "../deploy/nginx.ts";
import { findFreePort } from "./ports.ts";
import { postgresUnavailable } from "./postgres.ts";
import { type Program, startProgram } from "./program.ts";
import { s3Unavailable } from "./s3.ts";

/** `VITRINE_TEST_REPLICAS=2` runs each service of the tests as two replicas behind nginx. */
export const REPLICAS = Number(process.env.VITRINE_TEST_REPLICAS ?? 1);

if (REPLICAS > 1) {
  const missing = postgresUnavailable() ?? s3Unavailable() ?? nginxUnavailable();
  if (missing !== undefined) throw new Error(`VITRINE_TEST_REPLICAS can't be used here: ${missing}`);
}

/** Returns whether nginx passes a path on: it answers 400 itself if a path can't be decoded or leads above the root. */
export function reachesProgram(path: string): boolean {
  if (REPLICAS === 1) return true;
  if (/%(?![0-9a-f]{2})|%00/i.test(path)) return false;
  let depth = 0;
  for (const part of path.replaceAll(/%2f/gi, "/").replaceAll(/%2e/gi, ".").split("/").filter(Boolean)) {
    if (part !== ".") depth += part === ".." ? -1 : 1;
    if (depth < 0) return false;
  }
  return true;
}

export interface ReplicasBehindNginx extends Program {
  replicas: readonly Replica[];
  nginx: Nginx;
}

export interface Replica extends Program {
  /** Starts a replica that has ended. */
  startAgain(): Promise<void>;
}

async function startReplica(settings: Record<string, string>): Promise<Replica> {
  const programs = [await startProgram(settings)] as [Program, ...Program[]];
  const current = () => programs[0];
  return {
    get process() {
      return current().process;
    },
    baseUrl: current().baseUrl,
    contentUrl: current().contentUrl,
    log: () => programs.map((program) => program.log()).join(""),
    stop: (signal) => current().stop(signal),
    async startAgain() {
      programs.unshift(await startProgram(settings));
    },
  };
}

/**
 * Starts replicas, each with its own data directory, and nginx in front of them, at the addresses in the settings. The
 * settings have to name a database and a store for files that replicas can share.
 */
export async function startBehindNginx(
  environment: Record<string, string>,
  count: number,
): Promise<ReplicasBehindNginx> {
  const port = await portFrom(environment.VITRINE_PORT);
  const contentPort = await portFrom(environment.VITRINE_CONTENT_PORT);
  const settings = {
    VITRINE_BASE_URL: `http://localhost:${port}`,
    VITRINE_CONTENT_URL: `http://127.0.0.1:${contentPort}`,
    ...environment,
  };
  await using started = new AsyncDisposableStack();
  const replicas: Replica[] = [];
  const ports: { app: number; content: number }[] = [];
  let secret = environment.VITRINE_SECRET;
  for (let position = 0; position < count; position++) {
    const firstDir = environment.VITRINE_DATA_DIR ?? "";
    const dataDir = position === 0 ? firstDir : await temporaryDirectory(started);
    // Each replica offers the same executables.
    if (position > 0) await symlink(join(firstDir, "release"), join(dataDir, "release"));
    const own = { app: await findFreePort(), content: await findFreePort() };
    const replicaSettings = {
      ...settings,
      VITRINE_DATA_DIR: dataDir,
      VITRINE_PORT: String(own.app),
      VITRINE_CONTENT_PORT: String(own.content),
      ...(position > 0 && secret !== undefined ? { VITRINE_SECRET: secret } : {}),
    };
    const replica = await startReplica(replicaSettings);
    started.defer(async () => void (await replica.stop("SIGKILL")));
    replicas.push(replica);
    ports.push(own);
    // As an operator does who lets the first replica create it.
    secret ??= await readFile(join(dataDir, "secret"), "utf8");
  }
  const siteAt = (url: string, kind: "app" | "content", port: number) => ({
    name: new URL(url).hostname,
    port,
    targets: ports.map((own) => `127.0.0.1:${own[kind]}`),
  });
  const nginx = await startNginx({
    app: siteAt(settings.VITRINE_BASE_URL, "app", port),
    content: siteAt(settings.VITRINE_CONTENT_URL, "content", contentPort),
  });
  started.use(nginx);
  const [first] = replicas;
  if (first === undefined) throw new Error("At least one replica is required.");
  const running = started.move();
  return {
    process: first.process,
    baseUrl: first.baseUrl,
    contentUrl: first.contentUrl,
    replicas,
    nginx,
    /** Starts with the log of the replica that started last. */
    log: () =>
      replicas
        .map((replica) => replica.log())
        .toReversed()
        .join(""),
    async stop(signal) {
      const codes = await Promise.all(replicas.map((replica) => replica.stop(signal)));
      await running.disposeAsync();
      return Math.max(...codes);
    },
  };
}

const portFrom = async (wanted = "0") => (wanted === "0" ? findFreePort() : Number(wanted));

async function temporaryDirectory(started: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-replica-"));
  started.defer(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
