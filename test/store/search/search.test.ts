import { beforeAll, expect, test } from "bun:test";
import { VISIBILITIES } from "../../../src/domain/model/entities.ts";
import { type Search, type SearchPlace, SORTS } from "../../../src/domain/search/ports.ts";
import { gramKey, wordsOf } from "../../../src/domain/search/search-text.ts";
import { type Engine, postgresEngine, sqliteEngine } from "../../../src/store/engine/engine.ts";
import { unhurried } from "../../../src/store/engine/pace.ts";
import { mergeChanges } from "../../../src/store/engine/postings/merge.ts";
import { type Effort, search } from "../../../src/store/search/search.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { IS_EVERYTHING, runsOf } from "../../support/runs.ts";
import { use } from "../../support/use.ts";
import { addOwner, buildPublication, type Owner, openTestStore } from "../support.ts";
import { buildSearch } from "./build-search.ts";
import { createRandom, furnish, type Known, lookAtEverything, WORDS } from "./search-model.ts";

/** Limits low enough to use every search strategy with a few hundred items. */
const EFFORTS: [Effort, Effort, ...Effort[]] = [
  { firstRows: 500, nextRows: 20_000, furtherRows: 100_000, few: 4_000, enough: 100 },
  { firstRows: 1, nextRows: 2, furtherRows: 7, few: 400, enough: 0 },
  { firstRows: 3, nextRows: 20, furtherRows: 50, few: 5, enough: 0 },
  { firstRows: 2, nextRows: 3, furtherRows: 40, few: 0, enough: 20 },
  { firstRows: 1, nextRows: 1, furtherRows: 1, few: 30, enough: 300 },
];

/** Returns all efforts in a full run, otherwise the usual one and another, which depends on the text. */
const effortsFor = (q: string): readonly Effort[] =>
  IS_EVERYTHING ? EFFORTS : [EFFORTS[0], EFFORTS[1 + (Bun.hash.crc32(q) % 4)] ?? EFFORTS[1]];

/** Searches have to find what the index lacks too. */
const CHANGES_LEFT = 100;

describeEachEngine("search", (engineName) => {
  const engine: Engine = engineName === "sqlite" ? sqliteEngine : postgresEngine;
  const shared = use(() => openTestStore(engineName));
  let owner: Owner;
  let items: Known[];
  const random = createRandom(7);
  const { next, pick } = random;

  beforeAll(async () => {
    owner = await addOwner(shared);
    items = await furnish(shared, owner, random, 300);
    await indexAllBut(CHANGES_LEFT);
  });

  /** Adds the changes that were logged to the index, except the last ones. */
  async function indexAllBut(left: number): Promise<void> {
    const { count } = await shared.rows
      .selectFrom("search_changes")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    await shared.rows.transaction().execute((rows) => mergeChanges(rows, count - left));
  }

  const searchWith = (overrides: Partial<Search> = {}): Search =>
    buildSearch({
      workspaceId: owner.workspaceId,
      reader: { userId: owner.userId, role: "owner" },
      ...overrides,
    });

  async function everyPage(wanted: Search, effort: Effort): Promise<number[]> {
    const ids: number[] = [];
    let after: SearchPlace | undefined;
    do {
      const page = await search(shared.rows, engine, { ...wanted, after }, unhurried, effort);
      ids.push(...page.items.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    return ids;
  }

  const expectFound = async (wanted: Search, effort: Effort) =>
    expect({ wanted, effort, ids: await everyPage(wanted, effort) }).toEqual({
      wanted,
      effort,
      ids: lookAtEverything(items, wanted),
    });

  test.each([
    "weekly",
    "WEEKLY",
    "eekl",
    "grösse",
    "größe",
    "strasse",
    "STRAẞE",
    "istanbul",
    "İSTANBUL",
    "ıstanbul",
    "οδός",
    "οδος",
    "ΟΔΟ",
    "москва",
    "МОСК",
    "分析",
    "析",
    "売上",
    "レポ",
    "ﾚﾎﾟｰﾄ",
    "%",
    "00%",
    "_",
    "snake_",
    '"',
    '"quo',
    "*",
    "a*b",
    "OR",
    "or",
    "fine",
    "été",
    "ÉTÉ",
    "😀",
    "a",
    "z9",
    "we sa",
    "weekly sales report",
    "finance",
    "finance 2026",
    "報告",
    "重",
    "q3-",
    "-",
    "-1",
    "x-1",
    "\\",
    "'",
    "weekly'--",
    "nothing-has-this",
    "",
    "   ",
  ])("finds for %p what checking every item finds, with any strategy", async (q) => {
    for (const effort of effortsFor(q)) await expectFound(searchWith({ words: wordsOf(q) }), effort);
  });

  test("codes are found by any part of any version's, in any case", async () => {
    const item = items.find(({ codes }) => codes.length === 3);
    for (const code of item?.codes ?? []) {
      for (const part of [code, code.slice(3, 9), code.slice(0, 3).toLowerCase(), code.slice(-4).toUpperCase()]) {
        const wanted = searchWith({ words: wordsOf(part) });
        expect(await everyPage(wanted, EFFORTS[1])).toContain(item?.id ?? 0);
        for (const effort of EFFORTS) await expectFound(wanted, effort);
      }
    }
    expect(item).toBeDefined();
  });

  const sometimes = <Value>(draw: () => Value): Value | undefined => (next() < 0.2 ? draw() : undefined);
  const anyFilter = (authors: readonly string[]): Pick<Search, "authors" | "since" | "until"> => ({
    authors: sometimes(() => [pick(authors as [string]), pick(["nobody-here", ...authors])]),
    since: sometimes(() => 5_000 + Math.floor(next() * 60)),
    until: sometimes(() => 5_000 + Math.floor(next() * 60)),
  });

  test("any combination of words, places, tags, authors, times and orders finds what checking every item does", async () => {
    const authors = [...new Set(items.map(({ author }) => author))];
    expect(authors).toHaveLength(2);
    const folderIds = [...new Set(items.flatMap(({ folder }) => folder?.id ?? []))];
    const drawerIds = [...new Set(items.flatMap(({ folder }) => folder?.drawerId ?? []))];
    const tagIds = [...new Set(items.flatMap(({ tags }) => tags.map(({ id }) => id)))];
    for (let round = 0; round < runsOf(1_200); round++) {
      const place = pick([
        undefined,
        undefined,
        null,
        { folderId: pick(folderIds as [string]) },
        { drawerId: pick(drawerIds as [string]) },
      ]);
      const q =
        next() < 0.6 ? [pick(WORDS).slice(0, 2 + Math.floor(next() * 5)), next() < 0.3 ? "e" : ""].join(" ") : "";
      const wanted = searchWith({
        words: wordsOf(q),
        place,
        tagIds: tagIds.filter(() => next() < 0.15),
        withSubtrees: next() < 0.5,
        isUntagged: next() < 0.1,
        visibility: next() < 0.2 ? pick(VISIBILITIES) : undefined,
        ...anyFilter(authors),
        order: { by: pick(SORTS), isDescending: next() < 0.5 },
        limit: pick([1, 7, 50, 200]),
      });
      await expectFound(wanted, pick<Effort>(EFFORTS));
    }
  });

  test("what a build without this index writes is found at once", async () => {
    const { store, rows } = shared;
    const another = await addOwner(shared);
    const workspace = another.workspaceId;
    const { itemId } = await store.publishing.publish(buildPublication(another, { name: "older", title: "Before" }));
    await rows
      .insertInto("tags")
      .values({
        id: "tag_x",
        workspace_id: workspace,
        title: "Later",
        search_title: "later",
        parent_id: null,
        created_at: 1,
      })
      .execute();
    await rows.transaction().execute((transaction) => mergeChanges(transaction, 10_000));
    // Enough others that a scan alone finds nothing.
    const find = async (overrides: Partial<Search>) => {
      const wanted = searchWith({ ...overrides, workspaceId: workspace });
      const { items: found } = await search(rows, engine, wanted, unhurried, { ...EFFORTS[1], firstRows: 1 });
      return found.map(({ id }) => id);
    };
    for (let number = 0; number < 3; number++) await store.publishing.publish(buildPublication(another));
    expect(await find({ words: ["after"] })).toEqual([]);
    await rows.updateTable("items").set({ search_text: "older\nafter" }).where("id", "=", itemId).execute();
    expect(await find({ words: ["after"] })).toEqual([itemId]);
    await rows.insertInto("item_tags").values({ item_id: itemId, tag_id: "tag_x", workspace_id: workspace }).execute();
    expect(await find({ words: ["after", "later"] })).toEqual([itemId]);
    expect(await find({ tagIds: ["tag_x"] })).toEqual([itemId]);
    await rows.updateTable("items").set({ visibility: "org" }).where("id", "=", itemId).execute();
    expect(await find({ visibility: "org" })).toEqual([itemId]);
  });

  test("text that databases can't store finds nothing", async () => {
    for (const words of [["\0"], ["week\0ly"], ["\ud800"]]) {
      expect(await search(shared.rows, engine, searchWith({ words }))).toEqual({
        items: [],
        next: undefined,
        unindexed: 0,
      });
    }
  });

  test("results have the fields of their reports", async () => {
    const known = items.find(({ tags, codes, folder }) => tags.length > 1 && codes.length > 1 && folder?.drawerId);
    const { items: found } = await search(shared.rows, engine, searchWith({ words: wordsOf(known?.name ?? "") }));
    expect(found).toEqual([
      {
        id: known?.id ?? 0,
        name: known?.name ?? "",
        code: known?.codes.at(-1) ?? "",
        title: known?.title ?? "",
        versionCount: known?.codes.length ?? 0,
        visibility: known?.visibility ?? "org",
        currentVisibility: known?.visibility ?? "org",
        folderId: known?.folder?.id ?? "",
        drawerId: known?.folder?.drawerId ?? "",
        thumbnail: null,
        tags: (known?.tags ?? [])
          .map(({ id, title: name }) => ({ id, title: name }))
          .toSorted((one, other) => (one.title < other.title ? -1 : 1)),
        creator: { slug: known?.author ?? "", displayName: null },
        createdAt: known?.createdAt ?? 0,
        updatedAt: known?.updatedAt ?? 0,
      },
    ]);
  });

  test("the same grams have different numbers in another workspace", () => {
    expect(gramKey("wsp_a", "abc")).not.toBe(gramKey("wsp_b", "abc"));
  });
});
