import type { BodyInput } from "../../src/contract/model/route.ts";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import { makeDirectory } from "./directories.ts";
import { keep, stop } from "./processes.ts";
import { run } from "./tools.ts";

export const LAUNCHER = new URL("../../bin/vitrine", import.meta.url).pathname;

/** The only user of every site. */
export const BENCH_USER = { email: "bench@example.org", password: "correct horse" };

/** Creates a data directory with one user and a token, with the commands for operators. */
export interface Site {
  dataDir: string;
  environment: Record<string, string>;
  token: string;
  /** What starts the server; the launcher by default, which runs the sources. */
  program?: string;
}

export async function createSite(databaseUrl?: string): Promise<Site> {
  const dataDir = makeDirectory();
  const environment = {
    VITRINE_DATA_DIR: dataDir,
    VITRINE_PORT: "0",
    VITRINE_CONTENT_PORT: "0",
    VITRINE_RATE_LIMIT: "0",
    ...(databaseUrl === undefined ? {} : { VITRINE_DATABASE_URL: databaseUrl }),
  };
  const { email, password } = BENCH_USER;
  const user = ["--email", email, "--slug", "bench", "--password", password];
  await run([LAUNCHER, "users", "create", "--init", ...user], environment);
  const scopes = "reports:read,reports:write";
  const token = await run([LAUNCHER, "tokens", "create", "--user", "bench", "--scopes", scopes], environment);
  const site = { dataDir, environment, token: token.trim() };
  // The first start ties the database to the published files, before rows are inserted directly.
  await (await startVitrine(site)).stop();
  return site;
}

/** Returns a site without a limit on readers of live links. */
export const withAnySockets = (site: Site): Site => ({
  ...site,
  environment: { ...site.environment, VITRINE_SOCKETS: "0", VITRINE_SOCKETS_PER_ADDRESS: "0" },
});

/** Starts the server; `environment` is added to the site's. */
export function spawnVitrine(site: Pick<Site, "environment" | "program">, environment: Record<string, string> = {}) {
  return keep(
    Bun.spawn([site.program ?? LAUNCHER, "serve"], {
      env: { PATH: process.env.PATH, ...site.environment, ...environment },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    }),
  );
}

export type Vitrine = Awaited<ReturnType<typeof startVitrine>>;

/** `own` has the server's addresses if its public ones are those of a proxy. */
export async function startVitrine(
  site: Site,
  environment: Record<string, string> = {},
  own?: Record<"baseUrl" | "contentUrl", string>,
) {
  const child = spawnVitrine(site, environment);
  const known = await readAddresses(child.stderr);
  const { baseUrl, contentUrl } = own ?? known;
  await fetch(`${baseUrl}/api/config`);
  const stopServer = () => stop(child);
  return {
    pid: child.pid,
    process: child,
    site,
    baseUrl,
    contentUrl,
    stop: stopServer,
    [Symbol.asyncDispose]: stopServer,
  };
}

async function readAddresses(stream: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder();
  let text = "";
  const addresses = Promise.withResolvers<{ baseUrl: string; contentUrl: string }>();
  (async () => {
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      const [, baseUrl, contentUrl] = /application +(\S+)\n +content +(\S+)\n/.exec(text) ?? [];
      if (baseUrl !== undefined && contentUrl !== undefined) addresses.resolve({ baseUrl, contentUrl });
    }
    addresses.reject(new Error(`The server did not start: ${text}`));
  })();
  return addresses.promise;
}

type Upload = BodyInput<typeof uploadRoute>;

/** Publishes a report and returns its code. */
export async function publish({ site, baseUrl }: Pick<Vitrine, "site" | "baseUrl">, upload: Upload): Promise<string> {
  const response = await fetch(`${baseUrl}${uploadRoute.path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${site.token}`, "Content-Type": "application/json" },
    body: JSON.stringify(upload),
  });
  if (!response.ok) throw new Error(`Publishing failed: ${await response.text()}`);
  return uploadRoute.response.parse(await response.json()).code;
}
