import { uploadRoute } from "../src/contract/publishing/publish.ts";
import { type Bench, progress } from "./support/bench.ts";
import { type Connection, encodeRequest, openConnection, timeRequests } from "./support/client.ts";
import { makeDirectory } from "./support/directories.ts";
import { createFloor } from "./support/floor.ts";
import { untilIdle } from "./support/processes.ts";
import { publishConcurrently } from "./support/publishers.ts";
import { buildPage } from "./support/reports.ts";
import { interleave, median, percentile, type Rounds } from "./support/statistics.ts";
import { compare, figure, type Row, unmeasured } from "./support/table.ts";
import { run, Unavailable } from "./support/tools.ts";
import { startVerdaccio } from "./support/verdaccio.ts";
import { createSite, type Site, startVitrine } from "./support/vitrine.ts";

const PAGE_BYTES = 50 * 1024;
const SERIAL_ROUNDS = 10;
const SERIAL_PUBLISHES = 80;
const PACED_ROUNDS = 5;
const PACED_PUBLISHES = 20;
/** Milliseconds between two publishes of people who do something else in between. */
const PAUSE = 150;
const CONCURRENT_ROUNDS = 4;
const CONCURRENT_SECONDS = 3;
const CLIENTS = 32;
const VERDACCIO_ROUNDS = 4;

const PEER = "write+fsync+commit";
const page = buildPage(PAGE_BYTES);
const content = Buffer.from(page);
const body = JSON.stringify({ files: [{ path: "index.html", content: page }] });
const perSecond = (times: readonly number[]) => (times.length * 1000) / times.reduce((sum, time) => sum + time, 0);

type Floor = ReturnType<typeof createFloor>;
type Times = number[];

/** Measures in turns with the floor, which is measured before, between and after. Each round is compared with both floors around it. */
async function beside(
  count: number,
  measure: () => Promise<Times>,
  measureFloor: () => Promise<Times> | Times,
): Promise<{ measured: Times[]; against: Times[] }> {
  let before = await measureFloor();
  const { measured, against } = await interleave(count, measure, async () => {
    const after = await measureFloor();
    const both = [...before, ...after];
    before = after;
    return both;
  });
  return { measured, against };
}

const shareOf = (rounds: { measured: Times[]; against: Times[] }, share: number): Rounds<number, number> => ({
  measured: rounds.measured.map((times) => percentile(times, share)),
  against: rounds.against.map((times) => percentile(times, share)),
});

function connect(site: Site, connection: Connection) {
  const request = encodeRequest({ method: "POST", path: uploadRoute.path, token: site.token, body });
  return (count: number) =>
    timeRequests(
      connection,
      Array.from({ length: count }, () => request),
    );
}

async function measureSerial(site: Site, floor: Floor): Promise<Row[]> {
  progress("  sequentially");
  await using vitrine = await startVitrine(site);
  const connection = await openConnection(vitrine.baseUrl);
  const publishTimes = connect(site, connection);
  await publishTimes(SERIAL_PUBLISHES * 3);
  floor.time(content, SERIAL_PUBLISHES);
  const rounds = await beside(
    SERIAL_ROUNDS,
    () => publishTimes(SERIAL_PUBLISHES),
    () => floor.time(content, SERIAL_PUBLISHES),
  );
  progress("  with pauses");
  connection.close();
  await untilIdle(vitrine.pid);
  // The server closes connections that are idle meanwhile.
  const later = await openConnection(vitrine.baseUrl);
  const publishOne = connect(site, later);
  const timePaced = async (time: () => Promise<Times> | Times) => {
    const times: Times = [];
    for (let made = 0; made < PACED_PUBLISHES; made++) {
      await Bun.sleep(PAUSE);
      times.push(...(await time()));
    }
    return times;
  };
  const paced = await beside(
    PACED_ROUNDS,
    () => timePaced(() => publishOne(1)),
    () => timePaced(() => floor.time(content, 1)),
  );
  later.close();
  const row = (name: string, figures: Rounds<number, number>, atMost?: number) =>
    compare({ name, unit: "ms", peer: PEER, ...figures, ...(atMost === undefined ? {} : { bound: { atMost } }) });
  return [
    row("publish 50 KB back to back, p50", shareOf(rounds, 0.5), 2.2),
    row("publish 50 KB back to back, p99", shareOf(rounds, 0.99)),
    compare({
      name: "publish 50 KB back to back",
      unit: "/s",
      peer: PEER,
      measured: rounds.measured.map(perSecond),
      against: rounds.against.map(perSecond),
    }),
    row(`publish 50 KB every ${PAUSE} ms, p50`, shareOf(paced, 0.5), 3),
    row(`publish 50 KB every ${PAUSE} ms, p99`, shareOf(paced, 0.99)),
  ];
}

async function measureConcurrent(site: Site, floor: Floor): Promise<{ rows: Row[]; publishesPerSecond: number }> {
  progress(`  ${CLIENTS} clients at once`);
  const loads: { p50: number; p99: number }[] = [];
  /** Measured on another server, because compressing what was published would slow the floor down. */
  async function publishesPerSecond(): Promise<number> {
    await using vitrine = await startVitrine(site);
    await publishConcurrently(vitrine, body, { clients: CLIENTS, seconds: 1 });
    const load = await publishConcurrently(vitrine, body, { clients: CLIENTS, seconds: CONCURRENT_SECONDS });
    loads.push(load);
    return load.requests / load.seconds;
  }
  async function floorPerSecond(): Promise<number> {
    await run(["sync"]);
    return perSecond(floor.time(content, SERIAL_PUBLISHES * 4));
  }
  const rounds = await interleave(CONCURRENT_ROUNDS, publishesPerSecond, floorPerSecond);
  const name = `publish 50 KB, ${CLIENTS} clients`;
  const latency = (share: "p50" | "p99") =>
    figure({ name: `${name}, ${share}`, unit: "ms", measured: median(loads.map((load) => load[share])) });
  return {
    rows: [
      compare({ name, unit: "/s", peer: PEER, ...rounds, bound: { atLeast: 1.3 } }),
      latency("p50"),
      latency("p99"),
    ],
    publishesPerSecond: median(rounds.measured),
  };
}

/** Compares with a package registry, which writes a package of the same size, but doesn't sync it. */
async function measureVerdaccio(site: Site, concurrentPerSecond: number): Promise<Row[]> {
  progress("  verdaccio");
  const name = "publish 50 KB back to back, verdaccio";
  try {
    await using verdaccio = await startVerdaccio();
    await using vitrine = await startVitrine(site);
    const connection = await openConnection(vitrine.baseUrl);
    const publishTimes = connect(site, connection);
    await Promise.all([publishTimes(SERIAL_PUBLISHES * 2), verdaccio.timePublishes(content, SERIAL_PUBLISHES * 2)]);
    const rounds = await interleave(
      VERDACCIO_ROUNDS,
      () => publishTimes(SERIAL_PUBLISHES),
      () => verdaccio.timePublishes(content, SERIAL_PUBLISHES),
    );
    connection.close();
    const serial = median(rounds.against.map(perSecond));
    return [
      compare({ name: `${name}, p50`, unit: "ms", peer: "verdaccio", ...shareOf(rounds, 0.5) }),
      compare({ name: `${name}, p99`, unit: "ms", peer: "verdaccio", ...shareOf(rounds, 0.99) }),
      compare({
        name: `publish 50 KB, ${CLIENTS} clients`,
        unit: "/s",
        measured: [concurrentPerSecond],
        against: [serial],
        peer: "verdaccio back to back",
        bound: { atLeast: 4 },
      }),
    ];
  } catch (error) {
    if (error instanceof Unavailable) return [unmeasured(name, "skipped", error.message)];
    throw error;
  }
}

/** Measures publishing one page durably over HTTP, compared to the syncs that this requires. */
export const publish: Bench = async () => {
  const site = await createSite();
  const directory = makeDirectory();
  const floor = createFloor(directory);
  const serial = await measureSerial(site, floor);
  const { rows, publishesPerSecond } = await measureConcurrent(site, floor);
  floor.close();
  return [...serial, ...rows, ...(await measureVerdaccio(site, publishesPerSecond))];
};
