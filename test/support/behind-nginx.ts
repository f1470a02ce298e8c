import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Nginx, nginxUnavailable, startNginx } from "./nginx.ts";
import { findFreePort } from "./ports.ts";
import { postgresUnavailable } from "./postgres.ts";
import { type Program, startProgram } from "./program.ts";
import { s3Unavailable } from "./s3.ts";

/** `VITRINE_TEST_REPLICAS=2`: what a test starts as one service is so many copies behind nginx. */
export const REPLICAS = Number(process.env.VITRINE_TEST_REPLICAS ?? 1);

if (REPLICAS > 1) {
  const missing = postgresUnavailable() ?? s3Unavailable() ?? nginxUnavailable();
  if (missing !== undefined) throw new Error(`VITRINE_TEST_REPLICAS needs more than there is here: ${missing}`);
}

/**
 * Whether a path reaches the program wherever it is: nginx itself refuses with 400 what it cannot read, and what leads above
 * the root.
 */
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

export interface CopiesBehindNginx extends Program {
  copies: readonly Copy[];
  nginx: Nginx;
}

export interface Copy extends Program {
  /** For one that has ended. */
  startAgain(): Promise<void>;
}

async function startCopy(settings: Record<string, string>): Promise<Copy> {
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
 * Starts copies of the program, each with a data directory of its own, and nginx in front of them, at the addresses that
 * the settings say or else where one program would be. Database and published files have to be shared ones.
 */
export async function startBehindNginx(environment: Record<string, string>, count: number): Promise<CopiesBehindNginx> {
  const port = await portFrom(environment.VITRINE_PORT);
  const contentPort = await portFrom(environment.VITRINE_CONTENT_PORT);
  const settings = {
    VITRINE_BASE_URL: `http://localhost:${port}`,
    VITRINE_CONTENT_URL: `http://127.0.0.1:${contentPort}`,
    ...environment,
  };
  await using started = new AsyncDisposableStack();
  const copies: Copy[] = [];
  const ports: { app: number; content: number }[] = [];
  let secret = environment.VITRINE_SECRET;
  for (let position = 0; position < count; position++) {
    const dataDir = position === 0 ? (environment.VITRINE_DATA_DIR ?? "") : await temporaryDirectory(started);
    const own = { app: await findFreePort(), content: await findFreePort() };
    const copySettings = {
      ...settings,
      VITRINE_DATA_DIR: dataDir,
      VITRINE_PORT: String(own.app),
      VITRINE_CONTENT_PORT: String(own.content),
      ...(position > 0 && secret !== undefined ? { VITRINE_SECRET: secret } : {}),
    };
    const copy = await startCopy(copySettings);
    started.defer(async () => void (await copy.stop("SIGKILL")));
    copies.push(copy);
    ports.push(own);
    // As an operator does who lets the first one make it.
    secret ??= await readFile(join(dataDir, "secret"), "utf8");
  }
  const nginx = await startNginx({
    app: {
      name: new URL(settings.VITRINE_BASE_URL).hostname,
      port,
      targets: ports.map(({ app }) => `127.0.0.1:${app}`),
    },
    content: {
      name: new URL(settings.VITRINE_CONTENT_URL).hostname,
      port: contentPort,
      targets: ports.map(({ content }) => `127.0.0.1:${content}`),
    },
  });
  started.use(nginx);
  const [first] = copies;
  if (first === undefined) throw new Error("There is to be at least one copy.");
  const running = started.move();
  return {
    process: first.process,
    baseUrl: first.baseUrl,
    contentUrl: first.contentUrl,
    copies,
    nginx,
    /** Of what each says at its start, what the last one says counts, and so comes first. */
    log: () =>
      copies
        .map((copy) => copy.log())
        .toReversed()
        .join(""),
    async stop(signal) {
      const codes = await Promise.all(copies.map((copy) => copy.stop(signal)));
      await running.disposeAsync();
      return Math.max(...codes);
    },
  };
}

const portFrom = async (wanted = "0") => (wanted === "0" ? findFreePort() : Number(wanted));

async function temporaryDirectory(started: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-copy-"));
  started.defer(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
