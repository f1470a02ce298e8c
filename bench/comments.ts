import { uploadRoute } from "../src/contract/publishing/publish.ts";
import { commentsRoute } from "../src/contract/reviews/threads.ts";
import { postgresUnavailable, startPostgres } from "../test/support/postgres.ts";
import { type Bench, progress } from "./support/bench.ts";
import { openPostgresBulk, openSqliteBulk } from "./support/bulk.ts";
import { type Connection, encodeRequest, openConnection, timeRequests } from "./support/client.ts";
import { buildPage } from "./support/reports.ts";
import { seedComments } from "./support/seed-comments.ts";
import { interleave, median, percentile } from "./support/statistics.ts";
import { compare, figure, type Row, unmeasured } from "./support/table.ts";
import { createSite, publish, startVitrine } from "./support/vitrine.ts";

const COMMENTED = "commented";
const QUIET = "without-comments";
const LISTS = 200;
/** With 60, the ratio of publishing varies by up to three percent from run to run. */
const ROUNDS = 200;
const PUBLISHES = 20;
/** Milliseconds. */
const LIST_BOUND = 50;
const PUBLISH_BOUND = 1.02;
const page = buildPage(50 * 1024);

const repeat = (count: number, request: Uint8Array) => Array.from({ length: count }, () => request);

/** Times publishing to a report with 10,000 comments in turns with one that has none. */
async function timePublishes(connection: Connection, token: string) {
  const toReport = (name: string) => {
    const body = JSON.stringify({ name, files: [{ path: "index.html", content: page }] });
    const requests = repeat(PUBLISHES, encodeRequest({ method: "POST", path: uploadRoute.path, token, body }));
    return async () => median(await timeRequests(connection, requests));
  };
  const [commented, quiet] = [toReport(COMMENTED), toReport(QUIET)];
  await commented();
  await quiet();
  return interleave(ROUNDS, commented, quiet);
}

interface Side {
  engine: string;
  /** Comments in each thread. */
  threadLength: number;
  databaseUrl?: string;
}

async function measure({ engine, threadLength, databaseUrl }: Side): Promise<Row[]> {
  const shape = `${engine}, threads of ${threadLength}`;
  progress(`  ${shape}`);
  const site = await createSite(databaseUrl);
  const first = await startVitrine(site);
  for (const name of [COMMENTED, QUIET]) await publish(first, { name, files: [{ path: "index.html", content: page }] });
  await first.stop();
  await seedComments(
    databaseUrl === undefined ? openSqliteBulk(site.dataDir) : await openPostgresBulk(databaseUrl),
    COMMENTED,
    { threadLength },
  );
  await using vitrine = await startVitrine(site);
  const connection = await openConnection(vitrine.baseUrl);
  const list = encodeRequest({
    method: "GET",
    path: `${commentsRoute.path}?name=${COMMENTED}`,
    token: site.token,
    headers: { "Accept-Encoding": "gzip, br, zstd" },
  });
  await timeRequests(connection, repeat(20, list));
  const times = await timeRequests(connection, repeat(LISTS, list));
  const publishes = await timePublishes(connection, site.token);
  connection.close();
  const row = (name: string, share: number) =>
    figure({ name, unit: "ms", measured: percentile(times, share), bound: { atMost: LIST_BOUND } });
  return [
    row(`first page of 10,000 comments (${shape}), p50`, 0.5),
    row(`first page of 10,000 comments (${shape}), p95`, 0.95),
    compare({
      name: `publish 50 KB beside 10,000 comments (${shape}), p50`,
      unit: "ms",
      peer: "without comments",
      bound: { atMost: PUBLISH_BOUND },
      ...publishes,
    }),
  ];
}

/** Measures a report with as many comments as it may have: the list, and what they cost when publishing. */
export const comments: Bench = async () => {
  const rows: Row[] = [];
  for (const threadLength of [5, 500]) rows.push(...(await measure({ engine: "SQLite", threadLength })));
  const reason = postgresUnavailable();
  if (reason !== undefined) return [...rows, unmeasured("comments on PostgreSQL", "skipped", reason)];
  await using server = await startPostgres({ durable: true });
  for (const threadLength of [5, 500]) {
    rows.push(...(await measure({ engine: "PostgreSQL", threadLength, databaseUrl: await server.createDatabase() })));
  }
  return rows;
};
