import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BareFile, startBareFiles } from "./support/bare-files-process.ts";
import { type Bench, progress } from "./support/bench.ts";
import { makeDirectory } from "./support/directories.ts";
import { assertSameAnswer, type Location, startNginx } from "./support/nginx.ts";
import { cpuSeconds, untilIdle } from "./support/processes.ts";
import { buildPage, buildScript } from "./support/reports.ts";
import { interleave, type Rounds } from "./support/statistics.ts";
import { compare, type Row } from "./support/table.ts";
import { createSite, publish, startVitrine, type Vitrine } from "./support/vitrine.ts";
import { runWrk } from "./support/wrk.ts";

const ROUNDS = 5;
const SECONDS = 2;
const CONNECTIONS = 64;
const ASSET = "library.js";
const ADDED_BY_SERVERS = new Set(["connection", "content-length", "date", "keep-alive"]);

/** What a browser accepts over https, and over http. */
const BROWSER = "gzip, deflate, br, zstd";
const PLAIN = "identity";

interface Target {
  pid: number;
  url: string;
  headers: Record<string, string>;
}

interface Measured {
  /** Microseconds of the server's CPU time for one request. */
  cpu: number;
  perSecond: number;
  /** Milliseconds. */
  p99: number;
}

async function measure({ pid, url, headers }: Target, seconds = SECONDS): Promise<Measured> {
  const before = cpuSeconds(pid);
  const load = await runWrk({ url, connections: CONNECTIONS, seconds, headers });
  const cpu = ((cpuSeconds(pid) - before) * 1e6) / load.requests;
  return { cpu, perSecond: load.requests / load.seconds, p99: load.p99 };
}

interface Targets {
  vitrine: Target;
  nginx: Target;
  /** The least that the same runtime does for the same answer. */
  bare: Target;
}

/** Returns one row per figure. nginx is measured before, between and after, and each round has the mean of its neighbors. */
async function against(name: string, { vitrine, nginx, bare }: Targets, atMost: number): Promise<Row[]> {
  progress(`  ${name}`);
  await measure(vitrine, 2);
  await measure(bare, 2);
  const first = await measure(nginx, 1);
  const floor: number[] = [];
  const rounds = await interleave(
    ROUNDS,
    async () => {
      floor.push((await measure(bare)).cpu);
      return measure(vitrine);
    },
    () => measure(nginx),
  );
  const series = (pick: (one: Measured) => number): Rounds<number, number> => ({
    measured: rounds.measured.map(pick),
    against: rounds.against.map((after, round) => (pick(rounds.against[round - 1] ?? first) + pick(after)) / 2),
  });
  const peer = "nginx";
  return [
    compare({ name, unit: "µs CPU", peer, ...series(({ cpu }) => cpu), bound: { atMost } }),
    compare({ name: `${name}, bare Bun`, unit: "µs CPU", peer, ...series(({ cpu }) => cpu), measured: floor }),
    compare({ name: `${name}, requests/s`, unit: "/s", peer, ...series(({ perSecond }) => perSecond) }),
    compare({ name: `${name}, p99`, unit: "ms", peer, ...series(({ p99 }) => p99) }),
  ];
}

async function revalidation({ pid, url, headers }: Target): Promise<Target> {
  const etag = (await fetch(url, { headers })).headers.get("etag") ?? "";
  const conditional = { ...headers, "If-None-Match": etag };
  const { status } = await fetch(url, { headers: conditional });
  if (status !== 304) throw new Error(`${url} returned ${status} instead of 304.`);
  return { pid, url, headers: conditional };
}

/** Starts servers with the bytes and headers that Vitrine sends for these paths to a client that accepts these encodings. */
async function startPeers({ contentUrl }: Vitrine, paths: readonly string[], accepted: string) {
  const root = makeDirectory();
  const headers = { "Accept-Encoding": accepted };
  const locations: Location[] = [];
  const bareFiles: BareFile[] = [];
  for (const path of paths) {
    const answer = await fetch(contentUrl + path, { headers, decompress: false });
    const file = join(root, path.endsWith("/") ? `${path}index.html` : path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, await answer.bytes());
    bareFiles.push({ path, file, headers: [...answer.headers].filter(([header]) => !ADDED_BY_SERVERS.has(header)) });
    // A directory's index is looked up under its own name.
    locations.push({ match: path.endsWith("/") ? `= ${path}index.html` : `= ${path}`, headers: answer.headers });
  }
  const nginx = await startNginx({ root, locations });
  const bare = await startBareFiles(bareFiles);
  for (const { url } of [nginx, bare]) {
    for (const path of paths) await assertSameAnswer(contentUrl + path, url + path, headers);
  }
  return { nginx, bare };
}

/** Waits until the browser's answer is compressed, which happens after the publish. */
async function untilCompressed(url: string): Promise<void> {
  const headers = { "Accept-Encoding": BROWSER };
  while (!(await fetch(url, { headers, decompress: false })).headers.has("content-encoding")) await Bun.sleep(100);
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
  const paths = [`/${code}/`, `/${code}/${ASSET}`] as const;
  const [pagePath, assetPath] = paths;
  for (const path of paths) await untilCompressed(vitrine.contentUrl + path);

  const rows: Row[] = [];
  for (const [accepted, label] of [
    [PLAIN, ""],
    [BROWSER, " compressed"],
  ] as const) {
    const { nginx, bare } = await startPeers(vitrine, paths, accepted);
    await untilIdle(vitrine.pid);
    const headers = { "Accept-Encoding": accepted };
    const targetsOf = (path: string): Targets => ({
      vitrine: { pid: vitrine.pid, url: vitrine.contentUrl + path, headers },
      nginx: { pid: nginx.pid, url: nginx.url + path, headers },
      bare: { pid: bare.pid, url: bare.url + path, headers },
    });
    const whole = targetsOf(pagePath);
    const unchanged: Targets = {
      vitrine: await revalidation(whole.vitrine),
      nginx: await revalidation(whole.nginx),
      bare: await revalidation(whole.bare),
    };
    rows.push(
      ...(await against(`serve 12 KB page${label}`, whole, 1.15)),
      ...(await against(`serve 304${label}`, unchanged, 1.15)),
      ...(await against(`serve 1 MB asset${label}`, targetsOf(assetPath), 1.1)),
    );
    await Promise.all([nginx.stop(), bare.stop()]);
  }
  return rows;
};
