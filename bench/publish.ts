import { uploadRoute } from "../src/contract/publishing/publish.ts";
import { type Bench, progress } from "./support/bench.ts";
import { encodeRequest, openConnection, timeRequests } from "./support/client.ts";
import { makeDirectory } from "./support/directories.ts";
import { createFloor } from "./support/floor.ts";
import { publishConcurrently } from "./support/publishers.ts";
import { buildPage } from "./support/reports.ts";
import { interleave, percentile } from "./support/statistics.ts";
import { compare, type Row } from "./support/table.ts";
import { run } from "./support/tools.ts";
import { createSite, type Site, startVitrine } from "./support/vitrine.ts";

const PAGE_BYTES = 50 * 1024;
const SERIAL_ROUNDS = 10;
const SERIAL_PUBLISHES = 80;
const CONCURRENT_ROUNDS = 4;
const CONCURRENT_SECONDS = 3;
const CLIENTS = 32;

const page = buildPage(PAGE_BYTES);
const content = Buffer.from(page);
const body = JSON.stringify({ files: [{ path: "index.html", content: page }] });
const perSecond = (times: readonly number[]) => (times.length * 1000) / times.reduce((sum, time) => sum + time, 0);

type Floor = ReturnType<typeof createFloor>;

async function measureSerial(site: Site, floor: Floor): Promise<Row[]> {
  progress("  sequentially");
  await using vitrine = await startVitrine(site);
  const connection = await openConnection(vitrine.baseUrl);
  const request = encodeRequest({ method: "POST", path: uploadRoute.path, token: site.token, body });
  const publishTimes = (count: number) =>
    timeRequests(
      connection,
      Array.from({ length: count }, () => request),
    );
  await publishTimes(SERIAL_PUBLISHES * 2);
  floor.time(content, SERIAL_PUBLISHES);
  const { measured, against } = await interleave(
    SERIAL_ROUNDS,
    () => publishTimes(SERIAL_PUBLISHES),
    () => floor.time(content, SERIAL_PUBLISHES),
  );
  connection.close();
  const figures = (share: number) => ({
    unit: "ms",
    measured: measured.map((times) => percentile(times, share)),
    against: against.map((times) => percentile(times, share)),
    peer: "write+fsync+commit",
  });
  return [
    compare({ name: "publish 50 KB, p50", ...figures(0.5), bound: { atMost: 3 } }),
    compare({ name: "publish 50 KB, p95", ...figures(0.95) }),
  ];
}

async function measureConcurrent(site: Site, floor: Floor): Promise<Row> {
  progress(`  ${CLIENTS} clients at once`);
  /** Measured on another server, because compressing what was published would slow the floor down. */
  async function publishesPerSecond(): Promise<number> {
    await using vitrine = await startVitrine(site);
    await publishConcurrently(vitrine, body, { clients: CLIENTS, seconds: 1 });
    const load = await publishConcurrently(vitrine, body, { clients: CLIENTS, seconds: CONCURRENT_SECONDS });
    return load.requests / load.seconds;
  }
  async function floorPerSecond(): Promise<number> {
    await run(["sync"]);
    return perSecond(floor.time(content, SERIAL_PUBLISHES * 4));
  }
  const rounds = await interleave(CONCURRENT_ROUNDS, publishesPerSecond, floorPerSecond);
  const name = `publish 50 KB, ${CLIENTS} clients`;
  return compare({ name, unit: "/s", peer: "write+fsync+commit", ...rounds, bound: { atLeast: 1 } });
}

/** Measures publishing one page durably over HTTP, compared to the syncs that this requires. */
export const publish: Bench = async () => {
  const site = await createSite();
  const directory = makeDirectory();
  const floor = createFloor(directory);
  const rows = [...(await measureSerial(site, floor)), await measureConcurrent(site, floor)];
  floor.close();
  return rows;
};
