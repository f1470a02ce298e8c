import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, progress } from "./support/bench.ts";
import { makeDirectory } from "./support/directories.ts";
import { assertSameAnswer, startNginx } from "./support/nginx.ts";
import { cpuSeconds, untilIdle } from "./support/processes.ts";
import { buildPage, buildScript } from "./support/reports.ts";
import { interleave } from "./support/statistics.ts";
import { compare, type Row } from "./support/table.ts";
import { createSite, publish, startVitrine } from "./support/vitrine.ts";
import { runWrk } from "./support/wrk.ts";

const ROUNDS = 5;
const SECONDS = 2;
const CONNECTIONS = 16;
const ASSET = "library.js";

interface Target {
  pid: number;
  url: string;
  headers?: Record<string, string>;
}

/** Returns the microseconds of the server's CPU time for one request. */
async function cpuPerRequest({ pid, url, headers = {} }: Target, seconds = SECONDS): Promise<number> {
  const before = cpuSeconds(pid);
  const { requests } = await runWrk({ url, connections: CONNECTIONS, seconds, headers });
  return ((cpuSeconds(pid) - before) * 1e6) / requests;
}

async function against(name: string, vitrine: Target, nginx: Target): Promise<Row> {
  progress(`  ${name}`);
  await cpuPerRequest(vitrine, 2);
  await cpuPerRequest(nginx, 1);
  const rounds = await interleave(
    ROUNDS,
    () => cpuPerRequest(vitrine),
    () => cpuPerRequest(nginx),
  );
  return compare({ name, unit: "µs CPU", peer: "nginx", ...rounds, bound: { atMost: 1 } });
}

async function revalidation({ pid, url }: Target): Promise<Target> {
  const etag = (await fetch(url)).headers.get("etag") ?? "";
  const headers = { "If-None-Match": etag };
  const { status } = await fetch(url, { headers });
  if (status !== 304) throw new Error(`${url} returned ${status} instead of 304.`);
  return { pid, url, headers };
}

/** Measures serving public files from memory, compared to nginx with the same bytes and headers. */
export const serve: Bench = async () => {
  const site = await createSite();
  await using vitrine = await startVitrine(site);
  const page = buildPage(12 * 1024);
  const asset = buildScript(1024 * 1024);
  const files = [
    { path: "index.html", content: page },
    { path: ASSET, content: asset },
  ];
  const code = await publish(vitrine, { files, visibility: "public" });
  const root = makeDirectory();
  mkdirSync(join(root, code));
  for (const { path, content } of files) writeFileSync(join(root, code, path), content);

  const [pagePath, assetPath] = [`/${code}/`, `/${code}/${ASSET}`];
  const headersOf = async (path: string) => (await fetch(vitrine.contentUrl + path)).headers;
  const locations = [
    { match: "/", headers: await headersOf(pagePath) },
    { match: `= ${assetPath}`, headers: await headersOf(assetPath) },
  ];
  const nginx = await startNginx({ root, locations });
  for (const path of [pagePath, assetPath]) await assertSameAnswer(vitrine.contentUrl + path, nginx.url + path);
  await untilIdle(vitrine.pid);

  const ours = (path: string) => ({ pid: vitrine.pid, url: vitrine.contentUrl + path });
  const theirs = (path: string) => ({ pid: nginx.pid, url: nginx.url + path });
  const rows = [
    await against("serve 12 KB page", ours(pagePath), theirs(pagePath)),
    await against("serve 1 MB asset", ours(assetPath), theirs(assetPath)),
    await against("serve 304", await revalidation(ours(pagePath)), await revalidation(theirs(pagePath))),
  ];
  await nginx.stop();
  return rows;
};
