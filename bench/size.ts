import { uploadRoute } from "../src/contract/publishing/publish.ts";
import { groupRoute } from "../src/contract/reports/named-reports.ts";
import { postgresUnavailable, startPostgres } from "../test/support/postgres.ts";
import { type Bench, progress } from "./support/bench.ts";
import { type Connection, encodeRequest, openConnection, timeRequests } from "./support/client.ts";
import { untilIdle } from "./support/processes.ts";
import { buildPage } from "./support/reports.ts";
import { type Amount, reportName, seedPostgres, seedSqlite } from "./support/seed.ts";
import { interleave, median } from "./support/statistics.ts";
import { compare, type Row, unmeasured } from "./support/table.ts";
import { createSite, publish, type Site, startVitrine, type Vitrine } from "./support/vitrine.ts";

/** 200,000 versions. */
const AMOUNT: Amount = { groups: 50_000, reports: 100_000 };
const ROUNDS = 20;
const PUBLISHES = 20;
const READS = 300;

const page = buildPage(50 * 1024);
const files = [{ path: "index.html", content: page }];
let lastName = 0;

interface Side {
  vitrine: Vitrine;
  connection: Connection;
  /** An existing group. */
  nameOf(round: number): string;
}

const publishRequest = (token: string) => {
  const body = JSON.stringify({ files, name: `published-group-${++lastName}` });
  return encodeRequest({ method: "POST", path: uploadRoute.path, token, body });
};

async function timePublish({ vitrine, connection }: Side): Promise<number> {
  const requests = Array.from({ length: PUBLISHES }, () => publishRequest(vitrine.site.token));
  return median(await timeRequests(connection, requests));
}

async function timeRead({ vitrine, connection, nameOf }: Side): Promise<number> {
  const { token } = vitrine.site;
  const requests = Array.from({ length: READS }, (_, position) => {
    return encodeRequest({ method: "GET", path: `${groupRoute.path}?name=${nameOf(position)}`, token });
  });
  return median(await timeRequests(connection, requests));
}

async function open(site: Site, nameOf: Side["nameOf"]): Promise<Side> {
  const vitrine = await startVitrine(site);
  return { vitrine, nameOf, connection: await openConnection(vitrine.baseUrl) };
}

async function close({ vitrine, connection }: Side): Promise<void> {
  connection.close();
  await vitrine.stop();
}

/** Publishes the group to read in the empty database, with as many versions as in the others. */
async function openEmpty(site: Site): Promise<Side> {
  const name = "only-group";
  const side = await open(site, () => name);
  for (let version = 1; version <= 2; version++) await publish(side.vitrine, { files, name });
  return side;
}

const openFull = (site: Site) => open(site, () => reportName(Math.floor(Math.random() * AMOUNT.groups)));

async function measure(engine: string, full: Side, empty: Side): Promise<Row[]> {
  progress(`  ${engine}`);
  for (const side of [full, empty]) {
    await timePublish(side);
    await timeRead(side);
    await timeRead(side);
  }
  const publishing = await interleave(
    ROUNDS,
    () => timePublish(full),
    () => timePublish(empty),
  );
  for (const { vitrine } of [full, empty]) await untilIdle(vitrine.pid);
  const reading = await interleave(
    ROUNDS,
    () => timeRead(full),
    () => timeRead(empty),
  );
  const common = { unit: "ms", peer: "when empty", bound: { atMost: 1.3 } } as const;
  return [
    compare({ name: `200,000 reports, ${engine}: publish p50`, ...common, ...publishing }),
    compare({ name: `200,000 reports, ${engine}: group p50`, ...common, ...reading }),
  ];
}

async function measureSqlite(): Promise<Row[]> {
  const sites = { full: await createSite(), empty: await createSite() };
  await seedSqlite(sites.full, AMOUNT);
  const [full, empty] = [await openFull(sites.full), await openEmpty(sites.empty)];
  const rows = await measure("SQLite", full, empty);
  await Promise.all([close(full), close(empty)]);
  return rows;
}

async function measurePostgres(): Promise<Row[]> {
  const unavailable = postgresUnavailable();
  if (unavailable !== undefined) return [unmeasured("200,000 reports, PostgreSQL", "skipped", unavailable)];
  await using server = await startPostgres({ durable: true });
  const urls = { full: await server.createDatabase(), empty: await server.createDatabase() };
  const sites = { full: await createSite(urls.full), empty: await createSite(urls.empty) };
  await seedPostgres(urls.full, AMOUNT);
  const [full, empty] = [await openFull(sites.full), await openEmpty(sites.empty)];
  const rows = await measure("PostgreSQL", full, empty);
  await Promise.all([close(full), close(empty)]);
  return rows;
}

/** Measures publishing and reading in a database with many reports, compared to an empty one. */
export const size: Bench = async () => [...(await measureSqlite()), ...(await measurePostgres())];
