import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clientEnvironment, type Ended, vitrine } from "../support/cli.ts";
import { type Service, startService } from "../support/service.ts";

export interface Desk extends AsyncDisposable {
  service: Service;
  slug: string;
  token: string;
  /** The working directory of commands. */
  directory: string;
  environment: Record<string, string>;
  /** Runs a command whose words contain no spaces. */
  run(line: string, input?: string, environment?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Runs a command with --json and returns the parsed output. */
  json(line: string): Promise<unknown>;
  /** Writes files into a new directory and returns its name. */
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<string>;
}

/** Starts a server with a user and a working directory. `environment` adds to the environment of commands. */
export async function openDesk(environment: Record<string, string> = {}): Promise<Desk> {
  const [service, directory] = await Promise.all([startService(), mkdtemp(join(tmpdir(), "vitrine-desk-"))]);
  const { slug, token } = await service.build.user();
  const own = { ...clientEnvironment(service, token), ...environment };
  let made = 0;
  const run: Desk["run"] = (line, input, more) =>
    vitrine(
      line.split(" ").filter((word) => word !== ""),
      { environment: { ...own, ...more }, directory, ...(input === undefined ? {} : { input }) },
    );
  return {
    service,
    slug,
    token,
    directory,
    environment: own,
    run,
    async json(line) {
      const ended = await run(`${line} --json`);
      if (ended.code !== 0) throw new Error(`vitrine ${line} ended with ${ended.code}: ${ended.stderr}`);
      return JSON.parse(ended.stdout);
    },
    async write(files) {
      const name = `report-${++made}`;
      for (const [path, content] of Object.entries(files)) await Bun.write(join(directory, name, path), content);
      return name;
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

/** Returns the code in a printed link. */
export const codeIn = (link: string): string => /\/([0-9A-Za-z]{16})\/\n?$/.exec(link)?.[1] ?? "";
