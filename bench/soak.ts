import { readdirSync } from "node:fs";
import { taxonomyRoute } from "../src/contract/cabinet/cabinet.ts";
import { uploadRoute } from "../src/contract/publishing/publish.ts";
import { searchRoute } from "../src/contract/search/search.ts";
import { type Bench, progress } from "./support/bench.ts";
import { openSqliteBulk } from "./support/bulk.ts";
import { type Connection, encodeRequest, openConnection } from "./support/client.ts";
import { connectReaders } from "./support/live-readers.ts";
import { residentMegabytes } from "./support/processes.ts";
import { buildPage } from "./support/reports.ts";
import { seedOrder } from "./support/seed-order.ts";
import { figure, type Row } from "./support/table.ts";
import { createSite, publish, startVitrine, type Vitrine } from "./support/vitrine.ts";

const NAMES = 200;
const CLIENTS = 8;
/** Milliseconds that a client waits between requests, similar to the pace of a browser. */
const PAUSE = 20;
const READERS_EACH = 5;
/** Milliseconds between samples. */
const INTERVAL = 5_000;
/** The share of samples at the beginning that are left out, because caches fill. */
const WARM_UP = 1 / 3;

interface Soak {
  reports: number;
  minutes: number;
}

interface Sample {
  /** Minutes since the load began. */
  at: number;
  megabytes: number;
  descriptors: number;
  threads: number;
}

const countIn = (directory: string) => readdirSync(directory).length;

/** Returns the requests of the mixed load, of which each client sends one after the other, from different places. */
function buildRequests({ site: { token } }: Vitrine, codes: readonly string[]) {
  const files = [{ path: "index.html", content: buildPage(12 * 1024) }];
  const get = (path: string) => encodeRequest({ method: "GET", path, token });
  const api = [
    get(`${searchRoute.path}?q=weekly%20sales`),
    get(`${searchRoute.path}?q=churn`),
    get(`${searchRoute.path}?sort=title`),
    get(`${taxonomyRoute.path}?owner=bench`),
    ...Array.from({ length: NAMES }, (_, number) => {
      const body = JSON.stringify({ name: `soak-${number}`, files, visibility: "public" });
      return encodeRequest({ method: "POST", path: uploadRoute.path, token, body });
    }),
  ];
  const pages = codes.map((code) => encodeRequest({ method: "GET", path: `/${code}/` }));
  return { api, pages };
}

async function sendUntil(end: number, connection: Connection, requests: readonly Uint8Array[], first: number) {
  for (let number = first; performance.now() < end; number++) {
    const request = requests[(number * 7) % requests.length];
    if (request === undefined) return;
    const { status, body } = await connection.send(request);
    if (status !== 200) throw new Error(`Answered ${status}: ${Buffer.from(body)}`);
    await Bun.sleep(PAUSE);
  }
}

/** Loads the server with searches, lists, publishes and reads while readers wait for versions, and samples it. */
async function load(vitrine: Vitrine, minutes: number): Promise<Sample[]> {
  const { pid, baseUrl, contentUrl } = vitrine;
  const files = [{ path: "index.html", content: buildPage(12 * 1024) }];
  const codes: string[] = [];
  for (let number = 0; number < NAMES; number++) {
    codes.push(await publish(vitrine, { name: `soak-${number}`, files, visibility: "public" }));
  }
  const links = codes.map((_, number) => `${contentUrl}/@bench/soak-${number}/`);
  const readers = await connectReaders(links, READERS_EACH);
  const { api, pages } = buildRequests(vitrine, codes);
  const begin = performance.now();
  const end = begin + minutes * 60_000;
  const samples: Sample[] = [];
  const sampling = setInterval(() => {
    samples.push({
      at: (performance.now() - begin) / 60_000,
      megabytes: residentMegabytes(pid),
      descriptors: countIn(`/proc/${pid}/fd`),
      threads: countIn(`/proc/${pid}/task`),
    });
  }, INTERVAL);
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    const isReader = client % 2 === 0;
    const connection = await openConnection(isReader ? contentUrl : baseUrl);
    await sendUntil(end, connection, isReader ? pages : api, client * 31);
    connection.close();
  });
  await Promise.all(clients).finally(() => clearInterval(sampling));
  await readers.stop();
  return samples;
}

/** Returns how much a figure has grown over all samples by its line of least squares, and twice the spread around it. */
function growthOf(samples: readonly Sample[], pick: (sample: Sample) => number) {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [times, values] = [samples.map(({ at }) => at), samples.map(pick)];
  const [middle, average] = [mean(times), mean(values)];
  const spread = times.reduce((sum, at) => sum + (at - middle) ** 2, 0);
  const slope = times.reduce((sum, at, place) => sum + (at - middle) * ((values[place] ?? 0) - average), 0) / spread;
  const residuals = times.map((at, place) => ((values[place] ?? 0) - average - slope * (at - middle)) ** 2);
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return { growth: slope * span, noise: 2 * Math.sqrt(mean(residuals)) };
}

async function soakWith({ reports, minutes }: Soak): Promise<Row[]> {
  const site = await createSite();
  progress(`  seeding ${reports.toLocaleString("en")} reports`);
  const bulk = openSqliteBulk(site.dataDir);
  await seedOrder(bulk, reports);
  await bulk.finish();
  await using vitrine = await startVitrine(site, { VITRINE_SOCKETS: "0", VITRINE_SOCKETS_PER_ADDRESS: "0" });
  await Bun.sleep(INTERVAL);
  const atRest = residentMegabytes(vitrine.pid);
  progress(`  ${minutes} minutes of mixed load`);
  const samples = await load(vitrine, minutes);
  const settled = samples.slice(Math.floor(samples.length * WARM_UP));
  const name = `${reports.toLocaleString("en")} reports, ${minutes} minutes`;
  const series = [
    ["memory", "MB", ({ megabytes }: Sample) => megabytes],
    ["descriptors", "", ({ descriptors }: Sample) => descriptors],
    ["threads", "", ({ threads }: Sample) => threads],
  ] as const;
  return [
    figure({ name: `${name}: memory at rest`, unit: "MB", measured: atRest, bound: { atMost: 90 } }),
    figure({
      name: `${name}: memory, highest`,
      unit: "MB",
      measured: Math.max(...samples.map(({ megabytes }) => megabytes)),
      bound: { atMost: 300 },
    }),
    ...series.map(([what, unit, pick]) => {
      const { growth, noise } = growthOf(settled, pick);
      return figure({
        name: `${name}: growth of ${what} in the last two thirds`,
        unit,
        measured: growth,
        peer: { name: "noise", value: noise },
        bound: { atMost: Math.max(1, noise) },
      });
    }),
  ];
}

/** Measures whether memory, descriptors or threads grow under half an hour of mixed load. */
export const soak: Bench = () => soakWith({ reports: 100_000, minutes: 30 });

/** Measures memory after an hour of mixed load with a million reports. */
export const soakMillion: Bench = () => soakWith({ reports: 1_000_000, minutes: 60 });
