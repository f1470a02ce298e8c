import { configRoute } from "../src/contract/publishing/config.ts";
import { type Bench, progress } from "./support/bench.ts";
import { makeDirectory } from "./support/directories.ts";
import { stop } from "./support/processes.ts";
import { buildPage } from "./support/reports.ts";
import { spawnBareServer, untilAnswered } from "./support/starting.ts";
import { median } from "./support/statistics.ts";
import { figure } from "./support/table.ts";
import { findFreePort } from "./support/tools.ts";
import { createSite, publish, type Site, spawnVitrine, startVitrine } from "./support/vitrine.ts";

const STARTS = 15;

/** Returns the milliseconds from starting the program to its first answers. */
async function timeStart(site: Pick<Site, "environment">, page?: string) {
  const [port, contentPort] = [findFreePort(), findFreePort()];
  const ports = { VITRINE_PORT: String(port), VITRINE_CONTENT_PORT: String(contentPort) };
  const begin = performance.now();
  const child = spawnVitrine(site, ports);
  const [api, content] = await Promise.all([
    untilAnswered(port, configRoute.path),
    page === undefined ? undefined : untilAnswered(contentPort, page),
  ]);
  await stop(child);
  return { api: api - begin, page: (content ?? Number.NaN) - begin };
}

async function timeFreshStart(): Promise<number> {
  const dataDir = makeDirectory();
  const { api } = await timeStart({ environment: { VITRINE_DATA_DIR: dataDir } });
  return api;
}

async function timeBareStart(): Promise<number> {
  const port = findFreePort();
  const begin = performance.now();
  const child = spawnBareServer(port);
  const end = await untilAnswered(port, "/");
  await stop(child);
  return end - begin;
}

async function publishPage(site: Site): Promise<string> {
  await using vitrine = await startVitrine(site);
  const files = [{ path: "index.html", content: buildPage(12 * 1024) }];
  return `/${await publish(vitrine, { files, visibility: "public" })}/`;
}

/** Measures the time from `vitrine serve` to the first answer, compared to the smallest server on this runtime. */
export const start: Bench = async () => {
  const site = await createSite();
  const page = await publishPage(site);
  progress(`  ${STARTS} starts of each`);
  const times = { fresh: [], api: [], page: [], bare: [] } as Record<"fresh" | "api" | "page" | "bare", number[]>;
  for (let number = 0; number < STARTS; number++) {
    times.fresh.push(await timeFreshStart());
    const existing = await timeStart(site, page);
    times.api.push(existing.api);
    times.page.push(existing.page);
    times.bare.push(await timeBareStart());
  }
  const peer = { name: "bare server", value: median(times.bare) };
  const row = (name: string, values: readonly number[]) =>
    figure({ name, unit: "ms", measured: median(values), peer, bound: { atMost: 300 } });
  return [
    row("start to API, new data directory", times.fresh),
    row("start to API, existing", times.api),
    row("start to public page, existing", times.page),
  ];
};
