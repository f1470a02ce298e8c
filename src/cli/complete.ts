import { writeSync } from "node:fs";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { findAccess } from "./session.ts";
import { plain } from "./text.ts";

const KINDS = ["reports", "folders", "tags"] as const;
type Kind = (typeof KINDS)[number];
type Names = Record<Kind, string[]>;

interface Cached extends Names {
  /** Identifies the server and the token that the names are from. */
  key: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** How long names are used without asking the server, in milliseconds. */
const FRESH = 60_000;
/** How long they are used while a separate process asks the server. A person waits for the names, so they come at once. */
const USABLE = 24 * 60 * FRESH;
/** After this many milliseconds, a slow server offers no names. */
const TIMEOUT = 1500;
const MAX_WORKSPACES = 5;
const MAX_REPORTS = 200;

/**
 * Prints the names of a kind for completion scripts, one a line, or with `--refresh` asks the server for them. It prints nothing
 * instead of an error. It loads neither the parser of commands nor streams, which would take longer than all the rest.
 */
export async function complete([word, option]: readonly string[], context: CliContext): Promise<void> {
  const kind = KINDS.find((each) => each === word);
  if (kind === undefined) return;
  const names = await findNames(context, option === "--refresh").catch(() => undefined);
  if (option === "--refresh" || names === undefined) return;
  print(names[kind].map((name) => `${plain(name)}\n`).join(""));
}

function print(text: string): void {
  try {
    writeSync(1, text);
  } catch {
    // The shell may have gone.
  }
}

async function findNames(context: CliContext, mustAsk: boolean): Promise<Names | undefined> {
  const { url, token } = await findAccess(context, {});
  if (token === undefined) return undefined;
  const file = join(dirname(context.credentialsFile), "completion.json");
  const key = await digestOf(`${url}\n${token}`);
  const cached = await readCached(file);
  const own = cached?.key === key ? cached : undefined;
  const age = own === undefined ? Number.POSITIVE_INFINITY : Date.now() - own.at;
  if (!mustAsk && age < USABLE) {
    if (age >= FRESH) refreshApart();
    return own;
  }
  const names = await readNames(url, token).catch(() => undefined);
  if (names !== undefined) await writeCached(file, { ...names, key, at: Date.now() }).catch(() => undefined);
  return names ?? own;
}

const digestOf = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** Asks the server in a process that outlives this one. */
function refreshApart(): void {
  const [, script = ""] = process.argv;
  const program = Bun.isStandaloneExecutable ? [] : [...process.execArgv, script];
  const command = [process.execPath, ...program, "complete", "reports", "--refresh"];
  Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "ignore" }).unref();
}

async function readNames(baseUrl: string, token: string): Promise<Names> {
  const signal = AbortSignal.timeout(TIMEOUT);
  const [{ createClient }, { folderLabel, readTaxonomy, tagLabel }, { accountRoute }, { searchRoute }] =
    await Promise.all([
      import("../client/client.ts"),
      import("../client/labels.ts"),
      loadRoutes.account(),
      loadRoutes.search(),
    ]);
  const client = createClient({ baseUrl, token, fetch: (url, init) => fetch(url, { ...init, signal }) });
  const { workspaces } = await client.call(accountRoute);
  const found = await Promise.all(
    workspaces.slice(0, MAX_WORKSPACES).map(async ({ slug }) => {
      const query = { owner: slug, q: "", limit: MAX_REPORTS };
      const [taxonomy, { items }] = await Promise.all([
        readTaxonomy(client, slug),
        client.call(searchRoute, { query }),
      ]);
      return {
        reports: items.flatMap(({ name }) => (name === undefined ? [] : [name])),
        folders: taxonomy.folders.map((folder) => folderLabel(taxonomy, folder)),
        tags: taxonomy.tags.map((tag) => tagLabel(taxonomy, tag)),
      };
    }),
  );
  const distinct = (kind: Kind) => [...new Set(found.flatMap((names) => names[kind]))].sort();
  return { reports: distinct("reports"), folders: distinct("folders"), tags: distinct("tags") };
}

async function readCached(file: string): Promise<Cached | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isCached(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isCached = (value: unknown): value is Cached =>
  typeof value === "object" &&
  value !== null &&
  "key" in value &&
  typeof value.key === "string" &&
  "at" in value &&
  typeof value.at === "number" &&
  KINDS.every((kind) => {
    const names: unknown = Reflect.get(value, kind);
    return Array.isArray(names) && names.every((name) => typeof name === "string");
  });

/** Writes the names for their owner alone: titles can be confidential. */
async function writeCached(file: string, cached: Cached): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(temporary, JSON.stringify(cached), { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, file);
}
