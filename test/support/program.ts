import { resolve } from "node:path";
import { until } from "./until.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

/** The program to test: `bin/vitrine`, or the executable in `VITRINE_TEST_PROGRAM`, relative to the root. */
export const PROGRAM = resolve(ROOT, process.env.VITRINE_TEST_PROGRAM || "bin/vitrine");
const START_DEADLINE = 100_000;

/** A running service: one program, or several replicas. */
export interface Program {
  /** The first replica. */
  process: Bun.Subprocess;
  baseUrl: string;
  contentUrl: string;
  /** Returns the log so far. */
  log(): string;
  /** Stops the service and resolves to its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>;
}

/**
 * Starts a program, by default the one to test, with these settings only. `within` is a command that runs it, such as
 * `taskset 1`.
 */
export async function startProgram(
  environment: Record<string, string>,
  within: readonly string[] = [],
  program = PROGRAM,
): Promise<Program> {
  const child = Bun.spawn([...within, program, "serve"], {
    env: { PATH: process.env.PATH, ...environment },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const log = collect(child.stderr);
  const addresses = await addressesFrom(log, child.exited);
  return {
    process: child,
    ...addresses,
    log: () => log.text,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      return child.exited;
    },
  };
}

function collect(stream: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder();
  const collected = { text: "", ended: read() };
  async function read(): Promise<void> {
    for await (const chunk of stream) collected.text += decoder.decode(chunk, { stream: true });
  }
  return collected;
}

async function addressesFrom(log: { text: string; ended: Promise<void> }, exited: Promise<number>) {
  const ended = exited.then(async (code) => {
    // What the program printed last may arrive after its exit.
    await log.ended;
    throw new Error(`The server ended with exit code ${code}: ${log.text}`);
  });
  const started = until(() => {
    const [, baseUrl, contentUrl] = /application +(\S+)\n +content +(\S+)\n/.exec(log.text) ?? [];
    return baseUrl !== undefined && contentUrl !== undefined && { baseUrl, contentUrl };
  }, START_DEADLINE);
  return Promise.race([started, ended]);
}
