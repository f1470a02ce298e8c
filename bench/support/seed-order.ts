import { newCode } from "../../src/domain/model/codes.ts";
import { foldText } from "../../src/domain/search/search-text.ts";
import { gramList, gramsOfCode } from "../../src/store/engine/grams.ts";
import { searchColumns } from "../../src/store/search/index-item.ts";
import type { Bulk, RowOf } from "./bulk.ts";

const BATCH = 5_000;
const FOLDERS = 1_000;
const DRAWERS = 50;
const TAGS = 5_000;

/** Words of titles by language. The first ones in a list are the most frequent. */
const LANGUAGES = [
  "report sales weekly revenue analysis forecast customer churn model training evaluation benchmark latency throughput coverage error rate north south quarter budget pipeline experiment regression inventory shipping returns margin audit incident capacity migration survey cohort retention funnel attribution elasticity",
  "Bericht Umsatz Auswertung Übersicht Bestand Größe Prüfung Lieferung Vertrieb Monatsbericht Kennzahlen Abweichung Straße Kosten Planung Qualität Störung Lagerbestand Jahresabschluss",
  "销售 报告 分析 数据 客户 预测 模型 训练 评估 季度 库存 预算 收入 成本 质量 用户增长 月度报告 实验结果",
  "売上 分析 レポート 予測 顧客 モデル 学習 評価 四半期 在庫 予算 品質 実験結果 月次報告 利益率 稼働状況",
].map((words) => words.split(" "));

/** Returns a generator of the same numbers in every run (mulberry32). */
function createRandom(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Owner {
  workspace_id: string;
  user_id: string;
}

/** Fills the only workspace of a site with drawers, folders, tags and items. */
export async function seedOrder(bulk: Bulk, count: number): Promise<void> {
  const owner = await bulk.first<Owner>(
    "select workspace_id, user_id from memberships join workspaces on workspaces.id = workspace_id where slug = 'bench'",
  );
  if (owner === undefined) throw new Error("The site has no user.");
  const { workspace_id, user_id } = owner;
  const random = createRandom(20_261_120);
  const bytes = { bytes: (length: number) => Uint8Array.from({ length }, () => random() * 256) };
  const below = (limit: number, skew = 1) => Math.floor(random() ** skew * limit);

  const titled = (id: string, title: string) => ({
    id,
    workspace_id,
    title,
    search_title: foldText(title),
    created_at: 1_750_000_000_000,
  });
  const range = (length: number) => Array.from({ length }, (_, number) => number);
  const wordOf = (language: number, skew: number) => {
    const words = LANGUAGES[language] ?? [];
    return words[below(words.length, skew)] ?? "";
  };
  const shortTitle = (number: number) => `${wordOf(number % 4, 1)} ${(number * 7919).toString(36)}`;

  await bulk.insert(
    "drawers",
    range(DRAWERS).map((number) => titled(`drw_${number}`, shortTitle(number))),
  );
  await bulk.insert(
    "folders",
    range(FOLDERS).map((number) => ({
      ...titled(`fld_${number}`, shortTitle(number)),
      drawer_id: number % 5 === 0 ? null : `drw_${number % DRAWERS}`,
    })),
  );
  await bulk.insert(
    "tags",
    range(TAGS).map((number) => ({
      ...titled(`tag_${number}`, shortTitle(number)),
      parent_id: number < 100 ? null : `tag_${below(number)}`,
    })),
  );

  for (let first = 1; first <= count; first += BATCH) {
    const items = range(Math.min(BATCH, count - first + 1)).map((offset) => buildItem(first + offset));
    await bulk.insert(
      "items",
      items.map(({ item }) => item),
    );
    await bulk.insert(
      "item_grams",
      items.map(({ grams }) => grams),
    );
    await bulk.insert(
      "versions",
      items.map(({ version }) => version),
    );
    await bulk.insert(
      "search_codes",
      items.map(({ code }) => code),
    );
    await bulk.insert(
      "code_grams",
      items.map(({ codeGrams }) => codeGrams),
    );
    await bulk.insert(
      "item_tags",
      items.flatMap(({ tags }) => tags),
    );
  }

  function buildItem(id: number) {
    const code = newCode(bytes);
    const language = below(4, 1.5);
    const words = range(2 + below(4)).map(() => wordOf(language, 2.5));
    const title = `${words.join(language < 2 ? " " : "")} ${below(1_000_000).toString(36)}`;
    const name = random() < 0.6 ? `${wordOf(0, 2).toLowerCase()}-${id.toString(36)}` : null;
    const visibility = random() < 0.2 ? "public" : "private";
    const times = { created_at: 1_750_000_000_000 + id * 1000, updated_at: 1_760_000_000_000 + below(2 ** 31) };
    const search = searchColumns({ name, title });
    const tags = new Set(range(below(7)).map(() => `tag_${below(TAGS, 3)}`));
    const item: RowOf = {
      id,
      workspace_id,
      creator_id: user_id,
      name,
      visibility,
      current_code: code,
      last_version_no: 1,
      folder_id: random() < 0.7 ? `fld_${below(FOLDERS, 3)}` : null,
      ...times,
      title,
      current_creator_id: user_id,
      current_visibility: visibility,
      ...search,
    };
    const version: RowOf = {
      code,
      item_id: id,
      creator_id: user_id,
      version_no: 1,
      title,
      visibility,
      size: 51_200,
      files: JSON.stringify([["index.html", 51_200, code.repeat(3).slice(0, 43)]]),
      created_at: times.created_at,
    };
    return {
      item,
      grams: { rowid: id, grams: gramList(workspace_id, search.search_text) },
      version,
      code: { id, item_id: id, code, folded: foldText(code) },
      codeGrams: { rowid: id, grams: gramsOfCode(workspace_id, code) },
      tags: [...tags].map((tag_id) => ({ item_id: id, tag_id, workspace_id })),
    };
  }
}
