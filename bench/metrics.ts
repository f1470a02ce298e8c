import { type Bench, progress } from "./support/bench.ts";
import { cpuSeconds, untilIdle } from "./support/processes.ts";
import { buildPage } from "./support/reports.ts";
import { interleave, type Rounds } from "./support/statistics.ts";
import { compare } from "./support/table.ts";
import { createSite, publish, type Site, startVitrine, type Vitrine } from "./support/vitrine.ts";
import { runWrk } from "./support/wrk.ts";

/** The number of servers on each side, because equal servers differ by several percent. */
const SERVERS = 6;
const ROUNDS = 4;
const SECONDS = 2;
const CONNECTIONS = 16;

/** Returns the microseconds of the server's CPU time for one read of a page in memory. */
async function cpuPerRead({ pid, contentUrl }: Vitrine, code: string): Promise<number> {
  const before = cpuSeconds(pid);
  const { requests } = await runWrk({ url: `${contentUrl}/${code}/`, connections: CONNECTIONS, seconds: SECONDS });
  return ((cpuSeconds(pid) - before) * 1e6) / requests;
}

async function comparePair(metered: Site, plain: Site, codes: readonly [string, string]) {
  await using withMetrics = await startVitrine(metered, { VITRINE_METRICS_PORT: "0" });
  await using without = await startVitrine(plain);
  const read = () => cpuPerRead(withMetrics, codes[0]);
  const readPlain = () => cpuPerRead(without, codes[1]);
  await read();
  await readPlain();
  // Awaited here, because the servers stop when this returns.
  return await interleave(ROUNDS, read, readPlain);
}

/** Publishes a page and returns its code. */
async function fill(site: Site): Promise<string> {
  await using vitrine = await startVitrine(site);
  const files = [{ path: "index.html", content: buildPage(12 * 1024) }];
  const code = await publish(vitrine, { files, visibility: "public" });
  await untilIdle(vitrine.pid);
  return code;
}

/** Measures what metrics cost a read from memory, compared to a server without them. */
export const metrics: Bench = async () => {
  const [metered, plain] = [await createSite(), await createSite()];
  const codes = [await fill(metered), await fill(plain)] as const;
  const rounds: Rounds<number, number> = { measured: [], against: [] };
  for (let server = 1; server <= SERVERS; server++) {
    progress(`  servers ${server} of ${SERVERS}`);
    const { measured, against } = await comparePair(metered, plain, codes);
    rounds.measured.push(...measured);
    rounds.against.push(...against);
  }
  const name = "12 KB page with metrics";
  return [compare({ name, unit: "µs CPU", peer: "without", ...rounds, bound: { atMost: 1.01 } })];
};
