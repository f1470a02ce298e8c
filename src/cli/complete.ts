import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Argument, Command } from "commander";
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
/** A person waits for the names, so a slow server offers none. */
const TIMEOUT = 1500;
const MAX_WORKSPACES = 5;
const MAX_REPORTS = 200;

/** Returns the command with which completion scripts ask for names. It prints nothing instead of an error. */
export function completeCommand(context: CliContext): Command {
  return new Command("complete")
    .description("Print names for shell completion, one a line.")
    .addArgument(new Argument("<kind>", "what to print").choices(KINDS))
    .action(async (kind: Kind) => {
      const names = await findNames(context).catch(() => undefined);
      for (const name of names?.[kind] ?? []) context.output.out(plain(name));
    });
}

async function findNames(context: CliContext): Promise<Names | undefined> {
  const { url, token } = await findAccess(context, {});
  if (token === undefined) return undefined;
  const file = join(dirname(context.credentialsFile), "completion.json");
  const key = createHash("sha256").update(`${url}\n${token}`).digest("hex");
  const cached = await readCached(file);
  const own = cached?.key === key ? cached : undefined;
  if (own !== undefined && Date.now() - own.at < FRESH) return own;
  const names = await readNames(url, token).catch(() => undefined);
  if (names !== undefined) await writeCached(file, { ...names, key, at: Date.now() }).catch(() => undefined);
  return names ?? own;
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
