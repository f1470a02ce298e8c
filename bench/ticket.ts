import { postgresUnavailable, startPostgres } from "../test/support/postgres.ts";
import { framedBy } from "../test/support/readers.ts";
import { signIn } from "../test/support/sessions.ts";
import { type Bench, progress } from "./support/bench.ts";
import { cpuSeconds, untilIdle } from "./support/processes.ts";
import { buildPage, buildScript } from "./support/reports.ts";
import { interleave } from "./support/statistics.ts";
import { compare, type Row, unmeasured } from "./support/table.ts";
import { BENCH_USER, createSite, publish, type Site, startVitrine, type Vitrine } from "./support/vitrine.ts";
import { runWrk } from "./support/wrk.ts";

const ROUNDS = 6;
const SECONDS = 2;
const CONNECTIONS = 16;
const ASSET = "library.js";
const FILES = [
  { path: "index.html", content: buildPage(12 * 1024) },
  { path: ASSET, content: buildScript(12 * 1024) },
];

/** Returns the address of a private report's file for a signed-in reader. */
async function ticketedUrl(vitrine: Vitrine, code: string): Promise<string> {
  const Cookie = await signIn(vitrine, BENCH_USER);
  const shell = await fetch(`${vitrine.baseUrl}/${code}/`, { headers: { Cookie, Accept: "text/html" } });
  const src = framedBy(await shell.text());
  if (src === undefined) throw new Error("The private report can't be opened.");
  return new URL(ASSET, src).href;
}

async function measure(site: Site, engine: string): Promise<Row> {
  progress(`  ${engine}`);
  await using vitrine = await startVitrine(site);
  const open = await publish(vitrine, { files: FILES, visibility: "public" });
  const closed = await publish(vitrine, { files: FILES, visibility: "private" });
  const urls = { open: `${vitrine.contentUrl}/${open}/${ASSET}`, ticketed: await ticketedUrl(vitrine, closed) };
  const [plain, ticketed] = await Promise.all(Object.values(urls).map(async (url) => (await fetch(url)).text()));
  if (plain !== ticketed) throw new Error("The two files differ.");
  await untilIdle(vitrine.pid);

  /** Returns the microseconds of the server's CPU time for one request. */
  async function cpuPerRequest(url: string): Promise<number> {
    const before = cpuSeconds(vitrine.pid);
    const { requests } = await runWrk({ url, connections: CONNECTIONS, seconds: SECONDS });
    return ((cpuSeconds(vitrine.pid) - before) * 1e6) / requests;
  }

  for (const url of Object.values(urls)) await cpuPerRequest(url);
  const rounds = await interleave(
    ROUNDS,
    () => cpuPerRequest(urls.ticketed),
    () => cpuPerRequest(urls.open),
  );
  const name = `ticketed 12 KB asset, ${engine}`;
  return compare({ name, unit: "µs CPU", peer: "public", ...rounds, bound: { atMost: 1.5 } });
}

async function measurePostgres(): Promise<Row> {
  const unavailable = postgresUnavailable();
  if (unavailable !== undefined) return unmeasured("ticketed asset, PostgreSQL", "skipped", unavailable);
  await using server = await startPostgres();
  const site = await createSite(await server.createDatabase());
  return await measure(site, "PostgreSQL");
}

/** Measures a file of a private report, whose reader is checked on each request, compared to a public one. */
export const ticket: Bench = async () => [await measure(await createSite(), "SQLite"), await measurePostgres()];
