import { rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { uploadRoute } from "../src/contract/publishing/publish.ts";
import { postgresUnavailable, startPostgres } from "../test/support/postgres.ts";
import { createBucket, s3Unavailable, type TestBucket } from "../test/support/s3.ts";
import { type Bench, progress } from "./support/bench.ts";
import { type Connection, encodeRequest, openConnection, timeRequests } from "./support/client.ts";
import { untilIdle } from "./support/processes.ts";
import { buildPage } from "./support/reports.ts";
import { interleave, percentile } from "./support/statistics.ts";
import { compare, type Row } from "./support/table.ts";
import { Unavailable } from "./support/tools.ts";
import { createSite, publish, type Site, startVitrine } from "./support/vitrine.ts";

const PAGE_BYTES = 50 * 1024;
const PUBLISH_ROUNDS = 10;
const PUBLISHES = 60;
const READ_ROUNDS = 5;
const REPORTS = 150;

const p50 = (rounds: readonly number[][]) => rounds.map((times) => percentile(times, 0.5));
const p99 = (rounds: readonly number[][]) => rounds.map((times) => percentile(times, 0.99));

/** Returns the milliseconds of each of `count` runs. */
async function timeEach(count: number, action: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const begin = performance.now();
    await action(index);
    times.push(performance.now() - begin);
  }
  return times;
}

/** Does the minimum of a publish: one put, then one committed row. */
async function createPutAndCommit(bucket: TestBucket, databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("create table floor (code text primary key, size integer not null)");
  const content = Buffer.from(buildPage(PAGE_BYTES));
  let written = 0;
  return {
    async run() {
      const name = `floor-${++written}`;
      await bucket.client.write(name, content);
      await client.query({ name: "insert", text: "insert into floor values ($1, $2)", values: [name, content.length] });
    },
    close: () => client.end(),
  };
}

async function measurePublishing(site: Site, bucket: TestBucket, databaseUrl: string): Promise<Row[]> {
  progress("  publishing");
  await using vitrine = await startVitrine(site, bucket.environment());
  const floor = await createPutAndCommit(bucket, databaseUrl);
  const connection = await openConnection(vitrine.baseUrl);
  const body = JSON.stringify({ files: [{ path: "index.html", content: buildPage(PAGE_BYTES) }] });
  const request = encodeRequest({ method: "POST", path: uploadRoute.path, token: site.token, body });
  const publishTimes = () =>
    timeRequests(
      connection,
      Array.from({ length: PUBLISHES }, () => request),
    );
  await publishTimes();
  await timeEach(PUBLISHES, floor.run);
  await untilIdle(vitrine.pid);
  const { measured, against } = await interleave(PUBLISH_ROUNDS, publishTimes, () => timeEach(PUBLISHES, floor.run));
  connection.close();
  await floor.close();
  const name = "publish 50 KB, PostgreSQL + S3";
  const common = { unit: "ms", peer: "put + commit" };
  return [
    compare({
      name: `${name}, p50`,
      ...common,
      measured: p50(measured),
      against: p50(against),
      bound: { atMost: 1.5 },
    }),
    compare({ name: `${name}, p99`, ...common, measured: p99(measured), against: p99(against) }),
  ];
}

/** Reads each report once from a newly started server, which has none in memory. */
async function readOnce(site: Site, bucket: TestBucket, codes: readonly string[]): Promise<number[]> {
  const vitrine = await startVitrine(site, bucket.environment());
  const connection: Connection = await openConnection(vitrine.contentUrl);
  const requests = codes.map((code) => encodeRequest({ method: "GET", path: `/${code}/` }));
  await timeRequests(connection, requests.slice(0, 1));
  const times = await timeRequests(connection, requests.slice(1));
  connection.close();
  await vitrine.stop();
  return times;
}

async function measureReading(site: Site, bucket: TestBucket): Promise<Row[]> {
  progress(`  reading ${REPORTS} reports`);
  const publisher = await startVitrine(site, bucket.environment());
  const codes: string[] = [];
  for (let seed = 0; seed < REPORTS; seed++) {
    const files = [{ path: "index.html", content: buildPage(PAGE_BYTES, seed) }];
    codes.push(await publish(publisher, { files, visibility: "public" }));
  }
  await untilIdle(publisher.pid);
  await publisher.stop();
  const readRaw = () => timeEach(codes.length - 1, (index) => bucket.client.file(codes[index + 1] ?? "").bytes());
  const readCold = async () => {
    await rm(join(site.dataDir, "blobs-cache"), { recursive: true, force: true });
    return readOnce(site, bucket, codes);
  };
  await readRaw();
  const cold = await interleave(READ_ROUNDS, readCold, readRaw);
  // The last cold round left all of them on the disk.
  const cached = await interleave(READ_ROUNDS, () => readOnce(site, bucket, codes), readRaw);
  const row = (name: string, { measured, against }: typeof cold) =>
    compare({ name, unit: "ms", measured: p50(measured), against: p50(against), peer: "raw get" });
  return [row("first read of 50 KB from S3, p50", cold), row("first read of 50 KB from the cache, p50", cached)];
}

/** Measures publishing and reading through PostgreSQL and an S3-compatible store, compared to using both directly. */
export const s3: Bench = async () => {
  const reason = s3Unavailable() ?? postgresUnavailable();
  if (reason !== undefined) throw new Unavailable(reason);
  await using server = await startPostgres({ durable: true });
  const bucket = await createBucket();
  const databaseUrl = await server.createDatabase();
  const site = await createSite(databaseUrl);
  return [...(await measurePublishing(site, bucket, databaseUrl)), ...(await measureReading(site, bucket))];
};
