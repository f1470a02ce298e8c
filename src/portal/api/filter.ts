const SORTS = ["updated", "-updated", "created", "-created", "title", "-title", "name", "-name"] as const;
const VISIBILITIES = ["public", "private", "org"] as const;
const VIEWS = ["list", "gallery"] as const;
const PLACES = ["recent", "starred"] as const;

/** Ages of the latest change, in days. */
export const AGES = { "1d": 1, "7d": 7, "30d": 30, "365d": 365 } as const;

/** Which reports the list shows and how, as in the page's address. */
export interface ItemFilter {
  /** A list of this user's own instead of the workspace's. */
  place?: (typeof PLACES)[number] | undefined;
  q?: string | undefined;
  /** An id, or `none` for unfiled reports. */
  folder?: string | undefined;
  drawer?: string | undefined;
  /** Ids a report must all have, or `none`. */
  tags?: string[] | undefined;
  /** `tag`: leaves out reports that only have a subtag. */
  within?: "tag" | undefined;
  /** The username of the report's first publisher. */
  author?: string | undefined;
  /** When it was last updated: within an age, or from one day to another. */
  age?: keyof typeof AGES | undefined;
  since?: string | undefined;
  until?: string | undefined;
  visibility?: (typeof VISIBILITIES)[number] | undefined;
  sort?: (typeof SORTS)[number] | undefined;
}

export interface HomeSearch extends ItemFilter {
  view?: (typeof VIEWS)[number] | undefined;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** A hand-written `q=2026` is parsed as a number. */
const termOf = (value: unknown): string | undefined =>
  typeof value === "number" || typeof value === "boolean" ? String(value) : textOf(value);

const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((candidate) => candidate === value);

/** The length of a date such as 2026-03-31. */
const DAY_LENGTH = 10;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const dayOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
};

function textsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const texts = value.filter((one) => typeof one === "string");
  return texts.length === value.length ? texts : undefined;
}

const isAge = (value: unknown): value is keyof typeof AGES => typeof value === "string" && Object.hasOwn(AGES, value);

/** Reads the page's address. Invalid values are ignored. */
export const readHomeSearch = (search: Readonly<Record<string, unknown>>): HomeSearch =>
  withoutAbsent(search, {
    place: oneOf(PLACES, search.place),
    q: termOf(search.q),
    folder: textOf(search.folder),
    drawer: textOf(search.drawer),
    tags: textsOf(search.tags),
    within: oneOf(["tag"], search.within),
    author: termOf(search.author),
    age: isAge(search.age) ? search.age : undefined,
    since: dayOf(search.since),
    until: dayOf(search.until),
    visibility: oneOf(VISIBILITIES, search.visibility),
    sort: oneOf(SORTS, search.sort),
    view: oneOf(VIEWS, search.view),
  });

/** Leaves out what the address doesn't have. What it has wrong stays undefined: the router would pass on its text. */
function withoutAbsent<Value extends object>(search: Readonly<Record<string, unknown>>, value: Value): Value {
  for (const [key, one] of Object.entries(value)) {
    if (one === undefined && search[key] === undefined) Reflect.deleteProperty(value, key);
  }
  return value;
}

/** The parameters of a search that was saved. */
interface SavedQuery {
  q?: string | undefined;
  folder_id?: string | undefined;
  drawer_id?: string | undefined;
  tag_id?: readonly string[] | undefined;
  tag_scope?: "tag" | "subtree" | undefined;
  author?: readonly string[] | undefined;
  since?: string | undefined;
  until?: string | undefined;
  visibility?: ItemFilter["visibility"];
  sort?: ItemFilter["sort"];
}

/** Returns what the list has to show for a saved search. */
export const filterOf = (query: SavedQuery): ItemFilter =>
  readHomeSearch({
    q: query.q,
    folder: query.folder_id,
    drawer: query.drawer_id,
    tags: query.tag_id,
    within: query.tag_id !== undefined && query.tag_scope !== "subtree" ? "tag" : undefined,
    author: query.author?.[0],
    since: query.since?.slice(0, DAY_LENGTH),
    until: query.until?.slice(0, DAY_LENGTH),
    visibility: query.visibility,
    sort: query.sort,
  });
