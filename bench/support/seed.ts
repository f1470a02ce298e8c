import { Database } from "bun:sqlite";
import { join } from "node:path";
import { Client } from "pg";
import { newCode } from "../../src/domain/codes.ts";
import type { Site } from "./vitrine.ts";

const BATCH = 5_000;
const random = { bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) };

/** How much there is to be in a database; groups have two versions each. */
export interface Amount {
  groups: number;
  reports: number;
}

interface Owner {
  workspace_id: string;
  user_id: string;
}

interface Item extends Owner {
  id: number;
  name: string | null;
  codes: readonly string[];
}

export const groupName = (number: number) => `seeded-group-${number}`;

/** Items as publishing makes them, groups and reports mixed; their objects are not there. */
function* makeItems({ groups, reports }: Amount, owner: Owner): Generator<Item> {
  const total = groups + reports;
  for (let id = 1, named = 0; id <= total; id++) {
    const isGroup = Math.floor((id * groups) / total) > named;
    const name = isGroup ? groupName(named++) : null;
    yield { id, name, codes: isGroup ? [newCode(random), newCode(random)] : [newCode(random)], ...owner };
  }
}

const itemRow = ({ id, workspace_id, user_id, name, codes }: Item) => ({
  id,
  workspace_id,
  creator_id: user_id,
  name,
  visibility: "private",
  current_code: codes.at(-1) ?? "",
  last_version_no: codes.length,
  created_at: 1_750_000_000_000 + id,
  updated_at: 1_750_000_000_000 + id,
});

const versionRows = ({ id, user_id, codes }: Item) =>
  codes.map((code, position) => ({
    code,
    item_id: id,
    creator_id: user_id,
    version_no: position + 1,
    title: `Weekly figures ${id}`,
    visibility: "private",
    size: 51_200,
    files: JSON.stringify([["index.html", 51_200, code.repeat(3).slice(0, 43)]]),
    created_at: 1_750_000_000_000 + id,
  }));

type Value = string | number | null;
type Insert = (table: "items" | "versions", rows: readonly Record<string, Value>[]) => Promise<void>;

async function insertAll(items: Iterable<Item>, insert: Insert): Promise<void> {
  let batch: Item[] = [];
  async function flush(): Promise<void> {
    await insert("items", batch.map(itemRow));
    await insert("versions", batch.flatMap(versionRows));
    batch = [];
  }
  for (const item of items) {
    batch.push(item);
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
}

const OWNER = "select workspace_id, user_id from memberships";
const columnsOf = (row: Record<string, Value>) => Object.keys(row).join(", ");

/** Fills a site's SQLite database, while no server runs on it. */
export async function seedSqlite({ dataDir }: Pick<Site, "dataDir">, amount: Amount): Promise<void> {
  const database = new Database(join(dataDir, "vitrine.db"), { readwrite: true });
  const owner = database.query<Owner, []>(OWNER).get();
  if (owner === null) throw new Error("The site has no user.");
  database.run("begin");
  await insertAll(makeItems(amount, owner), async (table, rows) => {
    const [first = {}] = rows;
    const columns = columnsOf(first);
    const places = Object.keys(first).map(() => "?");
    const statement = database.query(`insert into ${table} (${columns}) values (${places.join(", ")})`);
    for (const row of rows) statement.run(...Object.values(row));
  });
  database.run("commit");
  database.run("pragma wal_checkpoint(truncate)");
  database.close();
}

/** Fills a site's PostgreSQL database; the statistics are those that it would soon make by itself. */
export async function seedPostgres(databaseUrl: string, amount: Amount): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<Owner>(OWNER);
  const [owner] = rows;
  if (owner === undefined) throw new Error("The site has no user.");
  await client.query("begin");
  await insertAll(makeItems(amount, owner), async (table, batch) => {
    const columns = columnsOf(batch[0] ?? {});
    const source = `json_populate_recordset(null::${table}, $1)`;
    await client.query(`insert into ${table} (${columns}) select ${columns} from ${source}`, [JSON.stringify(batch)]);
  });
  await client.query("select setval(pg_get_serial_sequence('items', 'id'), (select max(id) from items))");
  await client.query("commit");
  await client.query("vacuum analyze");
  await client.end();
}
