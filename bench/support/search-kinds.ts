import type { Search } from "../../src/domain/search/ports.ts";

/** A kind of search, for the API and for the store. */
export interface SearchKind {
  name: string;
  q?: string;
  /** The API's parameters. */
  query: readonly [string, string][];
  search?: Partial<Search>;
}

const words = (name: string, q: string, more: Partial<SearchKind> = {}): SearchKind => ({
  name,
  q,
  query: [["q", q], ...(more.query ?? [])],
  ...(more.search === undefined ? {} : { search: more.search }),
});

const filter = (name: string, query: [string, string][], search: Partial<Search>): SearchKind => ({
  name,
  query,
  search,
});

/** Half of all items follow it. */
const MIDDLE = { key: 1_760_000_000_000 + 2 ** 30, id: 1 };

const DAY = { since: MIDDLE.key, until: MIDDLE.key + 24 * 60 * 60_000 };

/** What people search for most of the time. */
export const ORDINARY = words("ordinary", "sales forecast");

/** Ten letters that few codes have all of: no index helps, so it is the slowest search there is. */
export const SLOWEST = words("ten letters", "q x z j v k w y p b");

/** Returns every kind of search in the seeded workspace; `code` is one of its codes. */
export function searchKinds(code: string): SearchKind[] {
  const byTitle = { order: { by: "title", isDescending: false } } as const;
  const dayQuery = Object.entries(DAY).map(([name, time]): [string, string] => [name, new Date(time).toISOString()]);
  return [
    words("rare word", "zq9x"),
    words("less common word", "elasticity"),
    words("common word", "report"),
    words("German word", "ÜBERSICHT"),
    words("two common words", "report sales"),
    words("two words", "sales forecast"),
    words("two rare words", "capacity straße"),
    words("three words", "sales forecast revenue"),
    words("three rare words", "capacity margin straße"),
    words("three Chinese words", "销售 预算 质量"),
    words("three Japanese words", "売上 予測 在庫"),
    words("four words", "sales forecast audit margin"),
    words("five words", "report sales weekly revenue analysis"),
    words("five rare words", "capacity margin audit cohort returns"),
    words("one letter", "e"),
    words("two letters", "re"),
    words("two rare letters", "zq"),
    words("two Chinese letters", "报告"),
    words("two rare Chinese letters", "月度"),
    words("two Japanese letters", "稼働"),
    words("part of a code", code.slice(4, 10)),
    words("three letters of a code", code.slice(4, 7)),
    words("folder title", "sales 8d"),
    words("no match", "nosuchword"),
    filter("small folder", [["folder_id", "fld_900"]], { place: { folderId: "fld_900" } }),
    filter("large folder", [["folder_id", "fld_0"]], { place: { folderId: "fld_0" } }),
    filter("drawer", [["drawer_id", "drw_3"]], { place: { drawerId: "drw_3" } }),
    filter("unfiled", [["folder_id", "none"]], { place: null }),
    filter("rare tag", [["tag_id", "tag_4000"]], { tagIds: ["tag_4000"] }),
    filter("common tag", [["tag_id", "tag_0"]], { tagIds: ["tag_0"] }),
    filter("untagged", [["tag_id", "none"]], { isUntagged: true }),
    filter("public", [["visibility", "public"]], { visibility: "public" }),
    filter("author", [["author", "bench"]], { authors: ["bench"] }),
    filter("newer half", [["since", new Date(MIDDLE.key).toISOString()]], { since: MIDDLE.key }),
    filter("a day", dayQuery, DAY),
    filter("a day by title", [...dayQuery, ["sort", "title"]], { ...DAY, ...byTitle }),
    words("word in a day, by title", "sales", {
      query: [...dayQuery, ["sort", "title"]],
      search: { ...DAY, ...byTitle },
    }),
    filter("by title", [["sort", "title"]], byTitle),
    filter("by name, backwards", [["sort", "-name"]], { order: { by: "name", isDescending: true } }),
    filter("by creation, backwards", [["sort", "-created"]], { order: { by: "created", isDescending: false } }),
    words("word by title", "sales", { query: [["sort", "title"]], search: byTitle }),
    filter("deep page", [], { after: MIDDLE }),
    words("deep page of a word", "sales", { search: { after: MIDDLE } }),
  ];
}
