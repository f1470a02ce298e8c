import { uploadRoute } from "../src/contract/publishing/publish.ts";
import { type Bench, progress } from "./support/bench.ts";
import { type Connection, encodeRequest, openConnection } from "./support/client.ts";
import { connectReaders, type Readers } from "./support/live-readers.ts";
import { assertOpenFiles, residentMegabytes, untilIdle } from "./support/processes.ts";
import { buildPage } from "./support/reports.ts";
import { percentile } from "./support/statistics.ts";
import { compare, figure, type Row } from "./support/table.ts";
import { createSite, startVitrine, type Vitrine, withAnySockets } from "./support/vitrine.ts";

const NAMES = 5_000;
const READERS_EACH = 2;
const PER_SECOND = 200;
const SECONDS = 30;
const FLOOR_SECONDS = 15;
const CONNECTIONS = 16;
/** Seconds at the beginning and end of the load whose memory is compared. */
const MEMORY_SPAN = 5;
const SETTLING_TIME = 2_000;
/** Milliseconds after which all readers must have been notified. */
const LAST_NEWS = 2_000;

const files = [{ path: "index.html", content: buildPage(12 * 1024) }];
const nameOf = (number: number) => `mixed-group-${number}`;

/** Publishes to the names in turn and counts the acknowledged versions of each. */
function createPublisher(vitrine: Vitrine) {
  const versions = new Map<string, number>();
  const { token } = vitrine.site;
  let next = 0;

  async function publishNext(connection: Connection): Promise<void> {
    const name = nameOf(next++ % NAMES);
    const body = JSON.stringify({ name, files, visibility: "public" });
    const answer = await connection.send(encodeRequest({ method: "POST", path: uploadRoute.path, token, body }));
    if (answer.status !== 200) throw new Error(`Answered ${answer.status}: ${Buffer.from(answer.body)}`);
    versions.set(name, (versions.get(name) ?? 0) + 1);
  }

  /** Publishes on new connections, because the server closes idle ones. */
  async function onConnections(publishOn: (connection: Connection) => Promise<void>): Promise<void> {
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(vitrine.baseUrl)));
    await Promise.all(connections.map(publishOn));
    for (const connection of connections) connection.close();
  }

  /** Publishes as fast as possible. */
  function publishAll(count: number): Promise<void> {
    const turns = Array.from({ length: count }).values();
    return onConnections(async (connection) => {
      for (const _ of turns) await publishNext(connection);
    });
  }

  /** Publishes at a fixed rate without waiting for answers; returns milliseconds from when each was due. */
  async function publishSteadily(seconds: number): Promise<number[]> {
    const times: number[] = [];
    const begin = performance.now();
    const dues = Array.from(
      { length: seconds * PER_SECOND },
      (_, number) => begin + (number * 1000) / PER_SECOND,
    ).values();
    await onConnections(async (connection) => {
      for (const due of dues) {
        await Bun.sleep(Math.max(0, due - performance.now()));
        await publishNext(connection);
        times.push(performance.now() - due);
      }
    });
    return times;
  }

  return { versions, publishAll, publishSteadily };
}

type Publisher = ReturnType<typeof createPublisher>;

interface Load {
  /** Milliseconds of each publish. */
  times: number[];
  /** Publishes per second. */
  perSecond: number;
  /** The server's memory in MB, once a second. */
  memory: number[];
}

async function load({ pid }: Vitrine, { publishSteadily }: Publisher, seconds: number): Promise<Load> {
  const memory: number[] = [];
  const sampling = setInterval(() => memory.push(residentMegabytes(pid)), 1_000);
  const begin = performance.now();
  const times = await publishSteadily(seconds).finally(() => clearInterval(sampling));
  return { times, perSecond: (times.length * 1000) / (performance.now() - begin), memory };
}

/** Counts readers whose last notification was not the latest version. */
async function countBehind(readers: Readers, versions: ReadonlyMap<string, number>): Promise<number> {
  const told = await readers.toldVersions();
  return told.filter(([link, versionNo]) => versions.get(link.split("/").at(-2) ?? "") !== versionNo).length;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Measures two hundred publishes a second to many names while ten thousand readers listen, a few per name. */
export const mix: Bench = async () => {
  await assertOpenFiles(NAMES * READERS_EACH + 500);
  await using vitrine = await startVitrine(withAnySockets(await createSite()));
  const publisher = createPublisher(vitrine);
  progress(`  publishing ${NAMES} names`);
  await publisher.publishAll(NAMES);
  await untilIdle(vitrine.pid);
  progress("  without readers");
  const before = await load(vitrine, publisher, FLOOR_SECONDS);
  progress(`  with ${READERS_EACH} readers each`);
  const links = Array.from({ length: NAMES }, (_, number) => `${vitrine.contentUrl}/@bench/${nameOf(number)}/`);
  const readers = await connectReaders(links, READERS_EACH);
  await Bun.sleep(SETTLING_TIME);
  const loaded = await load(vitrine, publisher, SECONDS);
  await Bun.sleep(LAST_NEWS);
  const behind = await countBehind(readers, publisher.versions);
  const lost = readers.lost();
  await readers.stop();
  await untilIdle(vitrine.pid);
  progress("  without readers");
  const after = await load(vitrine, publisher, FLOOR_SECONDS);
  return tabulate({ floor: [before, after], loaded, behind, lost });
};

interface Result {
  /** Measured before the readers connect and after they leave, because the machine may slow down. */
  floor: readonly Load[];
  loaded: Load;
  behind: number;
  lost: number;
}

function tabulate({ floor, loaded, behind, lost }: Result): Row[] {
  const before = mean(loaded.memory.slice(0, MEMORY_SPAN));
  const after = mean(loaded.memory.slice(-MEMORY_SPAN));
  const slope = ((after - before) * 60) / (SECONDS - MEMORY_SPAN);
  progress(`  memory: ${loaded.memory.map((megabytes) => megabytes.toFixed(0)).join(", ")} MB`);
  const floorTimes = floor.flatMap(({ times }) => times);
  const publishing = (what: string, share: number): Row =>
    compare({
      name: `${NAMES.toLocaleString("en")} names: publish ${what}`,
      unit: "ms",
      measured: [percentile(loaded.times, share)],
      against: [percentile(floorTimes, share)],
      peer: "without readers",
    });
  return [
    figure({
      name: `${NAMES.toLocaleString("en")} names: publishes, ${PER_SECOND} wanted`,
      unit: "/s",
      measured: loaded.perSecond,
      peer: { name: "without readers", value: mean(floor.map(({ perSecond }) => perSecond)) },
      bound: { atLeast: PER_SECOND * 0.98 },
    }),
    publishing("p50", 0.5),
    publishing("p95", 0.95),
    figure({
      name: "readers not notified of the last version",
      unit: "",
      measured: behind + lost,
      bound: { atMost: 0 },
    }),
    compare({
      name: `memory, last ${MEMORY_SPAN} s (${slope.toFixed(0)} MB per minute)`,
      unit: "MB",
      measured: [after],
      against: [before],
      peer: `first ${MEMORY_SPAN} s`,
      bound: { atMost: 1.1 },
    }),
  ];
}
