import { fileItemsRoute, tagItemsRoute } from "../../src/contract/cabinet/items.ts";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import type { Database } from "../../src/store/engine/schema.ts";
import { encodeRequest, openConnection, timeRequests } from "./client.ts";
import { buildPage } from "./reports.ts";
import { median, percentile } from "./statistics.ts";
import { compare, figure, type Row } from "./table.ts";
import { createSite, startVitrine, type Vitrine } from "./vitrine.ts";

const CALLS = 40;
const REFERENCES = 200;
const PUBLISHES = 60;
const ITEMS_MILLISECONDS = 25;

/** Measures calls on many items, sequentially over one connection. */
export async function measureOrderCalls(name: string, database: Database, { baseUrl, site }: Vitrine): Promise<Row[]> {
  const { token } = site;
  const names = await someNames(database);
  const items = (call: number) =>
    Array.from({ length: REFERENCES }, (_, place) => ({
      name: names[(call * REFERENCES + place) % names.length] ?? "",
    }));
  const tags = (call: number) => [call, call + 1, call + 2].map((number) => `tag_${(number * 37) % 5_000}`);
  const post = (path: string, body: object) =>
    encodeRequest({ method: "POST", path, token, body: JSON.stringify(body) });
  const calls = {
    "200 items filed": (call: number) =>
      post(fileItemsRoute.path, { items: items(call), folder_id: `fld_${(call * 31) % 1_000}` }),
    "200 items tagged": (call: number) => post(tagItemsRoute.path, { items: items(call), add: tags(call) }),
    "200 items retagged": (call: number) => post(tagItemsRoute.path, { items: items(call), set: tags(call) }),
    "200 items untagged": (call: number) => post(tagItemsRoute.path, { items: items(call), remove: tags(call) }),
  };
  const rows: Row[] = [];
  for (const [kind, request] of Object.entries(calls)) {
    const connection = await openConnection(baseUrl);
    const times = await timeRequests(
      connection,
      Array.from({ length: CALLS }, (_, call) => request(call)),
    );
    connection.close();
    const bound = { atMost: ITEMS_MILLISECONDS };
    rows.push(figure({ name: `${name}: ${kind}, p95`, unit: "ms", measured: percentile(times, 0.95), bound }));
  }
  return rows;
}

async function someNames(database: Database): Promise<string[]> {
  const rows = await database
    .selectFrom("items")
    .select("name")
    .where("name", "is not", null)
    .where("id", "<", 20_000)
    .execute();
  return rows.map((row) => row.name ?? "");
}

/** Measures publishing into a large index, compared to an empty one, in interleaved rounds. */
export async function measurePublishing(name: string, full: Vitrine, databaseUrl?: string): Promise<Row> {
  const empty = await startVitrine(await createSite(databaseUrl));
  const [measured, against]: [number[], number[]] = [[], []];
  for (let round = 0; round < 10; round++) {
    measured.push(await timePublishing(full));
    against.push(await timePublishing(empty));
  }
  await empty.stop();
  return compare({
    name: `${name}: publish p50`,
    unit: "ms",
    measured: measured.slice(2),
    against: against.slice(2),
    peer: "when empty",
    bound: { atMost: 1.5 },
  });
}

const files = [{ path: "index.html", content: buildPage(50 * 1024) }];
let published = 0;

async function timePublishing({ baseUrl, site }: Vitrine): Promise<number> {
  const connection = await openConnection(baseUrl);
  const requests = Array.from({ length: PUBLISHES }, () => {
    const body = JSON.stringify({ files, name: `published-${++published}`, title: `Published report ${published}` });
    return encodeRequest({ method: "POST", path: uploadRoute.path, token: site.token, body });
  });
  const times = await timeRequests(connection, requests);
  connection.close();
  return median(times);
}
