import { newCode } from "../../src/domain/model/codes.ts";
import { foldText } from "../../src/domain/search/search-text.ts";
import { gramList, gramsOfCode } from "../../src/store/engine/grams.ts";
import { searchColumns } from "../../src/store/search/index-item.ts";
import { type Bulk, openPostgresBulk, openSqliteBulk } from "./bulk.ts";
import type { Site } from "./vitrine.ts";

const BATCH = 5_000;
const random = { bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) };

/** How many items to create; each group has two versions. */
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

export const reportName = (number: number) => `seeded-group-${number}`;

/** Generates groups and reports as publishing creates them, but without objects. */
function* makeItems({ groups, reports }: Amount, owner: Owner): Generator<Item> {
  const total = groups + reports;
  for (let id = 1, named = 0; id <= total; id++) {
    const isGroup = Math.floor((id * groups) / total) > named;
    const name = isGroup ? reportName(named++) : null;
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
  title: titleOf(id),
  current_creator_id: user_id,
  current_visibility: "private",
  ...searchColumns({ name, title: titleOf(id) }),
});

const titleOf = (id: number) => `Weekly figures ${id}`;

const itemGramsRow = ({ id, name, workspace_id }: Item) => ({
  rowid: id,
  grams: gramList(workspace_id, searchColumns({ name, title: titleOf(id) }).search_text),
});

/** Maximum versions of an item. */
const codeId = (id: number, position: number) => 2 * id + position;

const codeRows = ({ id, codes }: Item) =>
  codes.map((code, position) => ({ id: codeId(id, position), item_id: id, code, folded: foldText(code) }));

const codeGramsRows = ({ id, codes, workspace_id }: Item) =>
  codes.map((code, position) => ({ rowid: codeId(id, position), grams: gramsOfCode(workspace_id, code) }));

const versionRows = ({ id, user_id, codes }: Item) =>
  codes.map((code, position) => ({
    code,
    item_id: id,
    creator_id: user_id,
    version_no: position + 1,
    title: titleOf(id),
    visibility: "private",
    size: 51_200,
    files: JSON.stringify([["index.html", 51_200, code.repeat(3).slice(0, 43)]]),
    created_at: 1_750_000_000_000 + id,
  }));

async function insertAll(bulk: Bulk, amount: Amount): Promise<void> {
  const owner = await bulk.first<Owner>(OWNER);
  if (owner === undefined) throw new Error("The site has no user.");
  let batch: Item[] = [];
  async function flush(): Promise<void> {
    await bulk.insert("items", batch.map(itemRow));
    await bulk.insert("item_grams", batch.map(itemGramsRow));
    await bulk.insert("versions", batch.flatMap(versionRows));
    await bulk.insert("search_codes", batch.flatMap(codeRows));
    await bulk.insert("code_grams", batch.flatMap(codeGramsRows));
    batch = [];
  }
  for (const item of makeItems(amount, owner)) {
    batch.push(item);
    if (batch.length === BATCH) await flush();
  }
  await flush();
}

const OWNER = "select workspace_id, user_id from memberships";

/** Fills a site's SQLite database. */
export async function seedSqlite({ dataDir }: Pick<Site, "dataDir">, amount: Amount): Promise<void> {
  const bulk = openSqliteBulk(dataDir);
  await insertAll(bulk, amount);
  await bulk.finish();
}

/** Fills a site's PostgreSQL database. */
export async function seedPostgres(databaseUrl: string, amount: Amount): Promise<void> {
  const bulk = await openPostgresBulk(databaseUrl);
  await insertAll(bulk, amount);
  await bulk.finish();
}
