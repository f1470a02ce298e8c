import { createClient } from "../src/client/client.ts";
import { setVisibilityRoute } from "../src/contract/reports/visibility.ts";
import { createThreadRoute, replyRoute, waitForCommentsRoute } from "../src/contract/reviews/threads.ts";
import { postgresUnavailable, startPostgres } from "../test/support/postgres.ts";
import { startBalancer } from "./support/balancer.ts";
import { type Bench, progress } from "./support/bench.ts";
import { connectReaders } from "./support/live-readers.ts";
import { cpuSeconds, untilIdle } from "./support/processes.ts";
import { buildPage } from "./support/reports.ts";
import { interleave, percentile } from "./support/statistics.ts";
import { compare, figure, type Row } from "./support/table.ts";
import { findFreePort, Unavailable } from "./support/tools.ts";
import { createSite, publish, type Site, startVitrine, type Vitrine, withAnySockets } from "./support/vitrine.ts";
import { runWrk } from "./support/wrk.ts";

const READERS = 200;
const PUBLISHES = 200;
const WITHDRAWALS = 10_000;
/** Fewer than a person may add in a minute. */
const COMMENTS = 25;
const LANES = 8;
const ROUNDS = 8;
const SECONDS = 2;
const CONNECTIONS = 16;
const NAME = "report-of-the-week";
const files = [{ path: "index.html", content: buildPage(12 * 1024) }];
const now = () => performance.timeOrigin + performance.now();

interface Pair {
  first: Vitrine;
  second: Vitrine;
  /** The addresses of nginx in front of both. */
  front: Pick<Vitrine, "site" | "baseUrl" | "contentUrl">;
  stop(): Promise<void>;
}

/** Starts two replicas on one database behind nginx. */
async function startPair(site: Site): Promise<Pair> {
  const [app, content] = [findFreePort(), findFreePort()];
  const addresses = { baseUrl: `http://localhost:${app}`, contentUrl: `http://127.0.0.1:${content}` };
  const environment = {
    VITRINE_BASE_URL: addresses.baseUrl,
    VITRINE_CONTENT_URL: addresses.contentUrl,
    VITRINE_SECRET: "0123456789abcdef0123456789abcdef",
  };
  const ports = [0, 1].map(() => ({ app: findFreePort(), content: findFreePort() }));
  const [first, second] = await Promise.all(ports.map((own) => startAt(site, environment, own)));
  if (first === undefined || second === undefined) throw new Error("The replicas did not start.");
  const balancer = await startBalancer([
    { port: app, targets: ports.map((own) => own.app) },
    { port: content, targets: ports.map((own) => own.content) },
  ]);
  const front = { site, ...addresses };
  return {
    first,
    second,
    front,
    async stop() {
      await balancer.stop();
      await Promise.all([first.stop(), second.stop()]);
    },
  };
}

/** Starts a replica at known ports, behind the public addresses of the balancer. */
function startAt(site: Site, environment: Record<string, string>, { app, content }: Record<"app" | "content", number>) {
  const ports = { VITRINE_PORT: String(app), VITRINE_CONTENT_PORT: String(content) };
  const own = { baseUrl: `http://127.0.0.1:${app}`, contentUrl: `http://127.0.0.1:${content}` };
  return startVitrine(site, { ...environment, ...ports }, own);
}

/** Measures how long after a publish's answer all readers, half of them at the other replica, have been notified. */
async function measureTelling({ front }: Pair): Promise<Row> {
  progress(`  ${PUBLISHES} publishes to ${READERS} readers at two replicas`);
  await publish(front, { name: NAME, files, visibility: "public" });
  const readers = await connectReaders([`${front.contentUrl}/@bench/${NAME}/`], READERS);
  const times: number[] = [];
  for (let message = 1; message <= PUBLISHES; message++) {
    await publish(front, { name: NAME, files });
    const answered = now();
    times.push(Math.max(0, (await readers.allHeard(message)) - answered));
  }
  await readers.stop();
  return figure({
    name: `${READERS} readers at two replicas: answer to last notified, p95`,
    unit: "ms",
    measured: percentile(times, 0.95),
    bound: { atMost: 100 },
  });
}

/** Measures how long after a comment is sent to one replica a reader who waits at the other has it. */
async function measureComments({ first, second }: Pair): Promise<Row> {
  progress(`  ${COMMENTS} comments at one replica, read at the other`);
  const clientOf = ({ baseUrl, site: { token } }: Vitrine) => createClient({ baseUrl, token });
  const [writer, reader] = [clientOf(first), clientOf(second)];
  const code = await publish(first, { files });
  const wait = (since: string) => reader.call(waitForCommentsRoute, { query: { code, since, seconds: 30 } });
  const { id } = await writer.call(createThreadRoute, { body: { code, text: "First", anchor: { kind: "report" } } });
  let { changes_cursor: cursor } = await wait("0");
  const times: number[] = [];
  for (let round = 0; round < COMMENTS; round++) {
    const text = `Comment ${round}`;
    const waiting = wait(cursor).then((answer) => ({ answer, at: now() }));
    const sent = now();
    await writer.call(replyRoute, { body: { id, text } });
    const { answer, at } = await waiting;
    if (answer.threads[0]?.comments.at(-1)?.text !== text) throw new Error("A comment is missing.");
    cursor = answer.changes_cursor;
    times.push(at - sent);
  }
  return figure({
    name: "a comment, from its request to a reader at the other replica, p95",
    unit: "ms",
    measured: percentile(times, 0.95),
    bound: { atMost: 300 },
  });
}

async function setVisibility({ site, baseUrl }: Vitrine, code: string, visibility: "public" | "private") {
  const response = await fetch(baseUrl + setVisibilityRoute.path, {
    method: "POST",
    headers: { Authorization: `Bearer ${site.token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ code, visibility }),
  });
  if (!response.ok) throw new Error(`The visibility was not set: ${await response.text()}`);
  await response.arrayBuffer();
}

async function statusOf({ contentUrl }: Vitrine, code: string): Promise<number> {
  const response = await fetch(`${contentUrl}/${code}/`);
  await response.arrayBuffer();
  return response.status;
}

/** Counts reads that one replica still answers after the other has made the report private. */
async function measureStaleness({ first, second }: Pair): Promise<Row[]> {
  progress(`  ${WITHDRAWALS} withdrawals at one replica, read at the other`);
  let stale = 0;
  const times: number[] = [];
  const lane = async () => {
    const code = await publish(first, { files, visibility: "public" });
    for (let round = 0; round < WITHDRAWALS / LANES; round++) {
      await setVisibility(first, code, "public");
      // The second read comes from memory.
      for (let read = 0; read < 2; read++) {
        if ((await statusOf(second, code)) !== 200) throw new Error("A public report is not shown.");
      }
      const begin = performance.now();
      await setVisibility(first, code, "private");
      times.push(performance.now() - begin);
      if ((await statusOf(second, code)) === 200) stale++;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return [
    figure({
      name: `stale reads of ${WITHDRAWALS.toLocaleString("en")} at the other replica`,
      unit: "reads",
      measured: stale,
      bound: { atMost: 0 },
    }),
    figure({ name: `a withdrawal, ${LANES} at once, p50`, unit: "ms", measured: percentile(times, 0.5) }),
  ];
}

async function cpuPerRequest({ pid }: Vitrine, url: string): Promise<number> {
  const before = cpuSeconds(pid);
  const { requests } = await runWrk({ url, connections: CONNECTIONS, seconds: SECONDS });
  return ((cpuSeconds(pid) - before) * 1e6) / requests;
}

/** Measures what a request for a cached public page costs on PostgreSQL, compared to SQLite. */
async function measureServing({ first }: Pair): Promise<Row> {
  progress("  serving");
  await using sqlite = await startVitrine(await createSite());
  const urlAt = async (vitrine: Vitrine) =>
    `${vitrine.contentUrl}/${await publish(vitrine, { files, visibility: "public" })}/`;
  const [url, sqliteUrl] = [await urlAt(first), await urlAt(sqlite)];
  await untilIdle(sqlite.pid);
  await cpuPerRequest(first, url);
  await cpuPerRequest(sqlite, sqliteUrl);
  const rounds = await interleave(
    ROUNDS,
    () => cpuPerRequest(first, url),
    () => cpuPerRequest(sqlite, sqliteUrl),
  );
  const name = "serve 12 KB page, one of two replicas";
  return compare({ name, unit: "µs CPU", peer: "SQLite", ...rounds, bound: { atMost: 1.1 } });
}

/** Measures how soon one of two replicas on PostgreSQL behind nginx knows what the other has changed. */
export const replicas: Bench = async () => {
  const reason = postgresUnavailable();
  if (reason !== undefined) throw new Unavailable(reason);
  await using server = await startPostgres({ durable: true });
  const pair = await startPair(withAnySockets(await createSite(await server.createDatabase())));
  const rows = [
    await measureTelling(pair),
    await measureComments(pair),
    ...(await measureStaleness(pair)),
    await measureServing(pair),
  ];
  await pair.stop();
  return rows;
};
