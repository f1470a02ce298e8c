import { z } from "zod";
import { openSqlite } from "../../src/store/open-sqlite.ts";
import { PROGRAM } from "../support/program.ts";
import { createFactories } from "../support/service.ts";

const START_DEADLINE = 100_000;

interface ProgramOptions {
  /** The command that runs the program (default: `bin/vitrine`). */
  command?: readonly string[];
  dataDir: string;
  environment?: Record<string, string>;
  /** Called with messages that the program sends. */
  ipc?: (message: unknown) => void;
  /** Maximum milliseconds to start. */
  patience?: number;
}

export type Program = Awaited<ReturnType<typeof startProgram>>;

/** Spawns the server without waiting for it. */
export function spawnProgram({ command = [PROGRAM], dataDir, environment = {}, ipc }: ProgramOptions) {
  return Bun.spawn([...command, "serve"], {
    env: {
      PATH: process.env.PATH,
      VITRINE_DATA_DIR: dataDir,
      VITRINE_PORT: "0",
      VITRINE_CONTENT_PORT: "0",
      VITRINE_RATE_LIMIT: "0",
      ...environment,
    },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    ...(ipc === undefined ? {} : { ipc }),
  });
}

/**
 * Starts the program alone. Unlike `startService`, it opens no store in this process, which would prevent the next start
 * from recovering what a crash leaves behind.
 */
export async function startProgram(options: ProgramOptions) {
  const startedAt = performance.now();
  const child = spawnProgram(options);
  const log = { text: "" };
  const addresses = Promise.withResolvers<{ baseUrl: string; contentUrl: string }>();
  const fail = (why: string) => addresses.reject(new Error(`The server did not start (${why}): ${log.text}`));
  const deadline = setTimeout(() => fail("nothing heard of it"), options.patience ?? START_DEADLINE);
  (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) {
      log.text += decoder.decode(chunk, { stream: true });
      const [, baseUrl, contentUrl] = /application +(\S+)\n +content +(\S+)\n/.exec(log.text) ?? [];
      if (baseUrl !== undefined && contentUrl !== undefined) addresses.resolve({ baseUrl, contentUrl });
    }
    fail(`exit code ${await child.exited}`);
  })();
  try {
    const { baseUrl, contentUrl } = await addresses.promise;
    return {
      process: child,
      baseUrl,
      contentUrl,
      /** Milliseconds until it announced that it was running. */
      startTime: performance.now() - startedAt,
      log: () => log.text,
      stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number> {
        child.kill(signal);
        return child.exited;
      },
      /** For tests that fail before they stop it. */
      async [Symbol.asyncDispose]() {
        child.kill("SIGKILL");
        await child.exited;
      },
    };
  } finally {
    clearTimeout(deadline);
  }
}

/** Adds a user with a token to a data directory that no server has opened. */
export async function addUser(dataDir: string): Promise<{ slug: string; token: string }> {
  const store = await openSqlite(dataDir);
  try {
    return await createFactories(store).user();
  } finally {
    await store.close();
  }
}

const uploaded = z.looseObject({ code: z.string(), url: z.string() });

/** Publishes with a plain request. Throws if the server is gone, and returns the status if it refuses. */
export async function publish(baseUrl: string, token: string, body: unknown) {
  const response = await fetch(`${baseUrl}/api/upload`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (response.status !== 200) return { status: response.status, answer };
  return { status: 200 as const, code: uploaded.parse(answer).code };
}

/** Returns output other than the announcement and the JSON log: uncaught exceptions. */
export const strayLines = (log: string) =>
  log.split("\n").filter((line) => !/^(\{.*\}|Vitrine is running\.| {2}\w+ .*|)$/.test(line));
