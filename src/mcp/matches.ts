import type { Client } from "../client/client.ts";
import { SLUG_PATTERN } from "../client/definitions.ts";
import {
  findDrawer,
  findFolder,
  findTag,
  folderLabel,
  noSuch,
  readTaxonomy,
  type Taxonomy,
  tagLabel,
} from "../client/labels.ts";
import { accountRoute, type FoundItemEntry, searchRoute } from "../client/routes.ts";
import type { Place, Places } from "./places.ts";
import { ToolError } from "./tool-error.ts";

export interface Filters {
  q?: string | undefined;
  folder?: string | undefined;
  tags?: readonly string[] | undefined;
  without_tags?: readonly string[] | undefined;
  author?: string | undefined;
  visibility?: "public" | "org" | "private" | undefined;
  since?: string | undefined;
  until?: string | undefined;
  created_since?: string | undefined;
  created_before?: string | undefined;
  name_prefix?: string | undefined;
}

/** Says what `q` looks at, if it is given, because users mean texts of reports, too. */
export const noteOnWords = ({ q }: Filters): string =>
  q === undefined ? "" : " q is looked up in names, titles, codes, folders and tags, not in what reports contain.";

export const SORTS = ["updated", "-updated", "created", "-created", "title", "-title", "name", "-name"] as const;
export type Sort = (typeof SORTS)[number];

export interface Match extends FoundItemEntry {
  owner: string;
  /** `Drawer/Folder`, if the report is in a folder. */
  folder: string | null;
  /** `Parent/Child` of each tag. */
  tag_labels: string[];
}

const PAGE = 100;
/** Pages that one call reads to fill its result, when few reports match `without_tags`. */
const MAX_PAGES = 30;

interface Head {
  match: Match;
  advance(): void;
}

/** Reads matches of one workspace in order, page by page. */
async function openWorkspace(client: Client, owner: string, filters: Filters, sort: Sort, start: Place) {
  const query = await queryOf(client, owner, filters);
  if (query === undefined) return undefined;
  const { search, taxonomy, isExcluded } = query;
  const folders = new Map(taxonomy.folders.map((folder) => [folder.id, folderLabel(taxonomy, folder)]));
  const tagLabels = new Map(taxonomy.tags.map((tag) => [tag.id, tagLabel(taxonomy, tag)]));
  let { cursor, taken } = start;
  let page: readonly FoundItemEntry[] | undefined;
  let next: string | null = null;
  let pages = 0;

  const describe = (item: FoundItemEntry): Match => ({
    ...item,
    owner,
    folder: folders.get(item.folder_id ?? "") ?? null,
    tag_labels: item.tags.map(({ id, title }) => tagLabels.get(id) ?? title),
  });

  async function readNextPage(): Promise<readonly FoundItemEntry[]> {
    pages++;
    const answer = await client.call(searchRoute, {
      query: { ...search, owner, sort, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
    });
    next = answer.next_cursor;
    return answer.items;
  }

  /** Returns the next match without taking it; undefined at the end, or if enough was read. */
  async function head(): Promise<Head | undefined> {
    while (page !== undefined || pages < MAX_PAGES) {
      page ??= await readNextPage();
      const index = page.findIndex((item, at) => at >= taken && !isExcluded(item));
      const item = page[index];
      taken = item === undefined ? page.length : index;
      if (item !== undefined) {
        return { match: describe(item), advance: () => void taken++ };
      }
      if (next === null) return undefined;
      [cursor, taken, page] = [next, 0, undefined];
    }
    return undefined;
  }

  const isAtEnd = () => page !== undefined && next === null && taken >= page.length;
  return { owner, head, isAtEnd, place: (): Place => ({ cursor, taken }) };
}

/** Returns the parameters of the search in one workspace; undefined if it lacks the folder or a tag. */
async function queryOf(client: Client, owner: string, filters: Filters) {
  const { folder, tags = [], without_tags: without = [], author, visibility, until } = filters;
  const taxonomy = await readTaxonomy(client, owner);
  const place = folder === undefined ? {} : placeOf(taxonomy, folder);
  const tagIds = tags.map((label) => (label === "none" ? label : findTag(taxonomy, label)?.id));
  if (place === undefined || tagIds.includes(undefined)) return undefined;
  const excluded = new Set(without.flatMap((label) => subtreeOf(taxonomy.tags, findTag(taxonomy, label)?.id)));
  const slug = author === undefined ? undefined : await slugOf(client, author);
  const isCreated = createdIn(filters);
  const prefix = filters.name_prefix?.trim().toLowerCase();
  // The server finds words; what it can't filter by narrows its results all the same.
  const q = [filters.q, prefix].filter((words) => words !== undefined && words !== "").join(" ");
  const since = filters.since ?? filters.created_since;
  return {
    taxonomy,
    search: {
      ...place,
      ...(visibility === undefined ? {} : { visibility }),
      ...(q === "" ? {} : { q }),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
      ...(slug === undefined ? {} : { author: [slug] }),
      ...(tags.length === 0 ? {} : { tag_id: tagIds.filter((id) => id !== undefined), tag_scope: "subtree" as const }),
    },
    isExcluded: ({ tags: attached, created_at: at, name }: FoundItemEntry) =>
      attached.some(({ id }) => excluded.has(id)) ||
      !isCreated(at) ||
      (prefix !== undefined && name?.startsWith(prefix) !== true),
  };
}

/** Returns whether an instant is within the limits for creation. Throws `ToolError` for what is no date. */
function createdIn({ created_since: since, created_before: before }: Filters): (at: string) => boolean {
  const [from, to] = [timeOf("created_since", since, 0), timeOf("created_before", before, Number.POSITIVE_INFINITY)];
  return (at) => from <= Date.parse(at) && Date.parse(at) < to;
}

function timeOf(field: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new ToolError(`${field} must be a date or time such as 2026-03-01T09:30:00Z, not ${JSON.stringify(text)}.`);
}

/** Returns the slug that `author` means. Throws `ToolError` for a person's name, which would match no reports. */
async function slugOf(client: Client, author: string): Promise<string> {
  const slug = author.trim().toLowerCase();
  if (slug === "me") return (await client.call(accountRoute)).user.slug;
  if (SLUG_PATTERN.test(slug)) return slug;
  throw new ToolError(
    `author ${JSON.stringify(author)} isn't a user slug. Use one such as ada, which search_reports shows after "by".`,
  );
}

function placeOf(taxonomy: Taxonomy, label: string) {
  if (label === "none") return { folder_id: label };
  const folder = findFolder(taxonomy, label);
  if (folder !== undefined) return { folder_id: folder.id };
  // With a slash, a drawer is meant where a folder has the same title.
  const drawer = findDrawer(taxonomy, label.replace(/\/\s*$/, ""));
  return drawer === undefined ? undefined : { drawer_id: drawer.id };
}

/** Returns the drawer that a filter by folder leaves out, because a folder has the same title. */
export async function drawerBeside(client: Client, owner: string | undefined, label: string | undefined) {
  if (label === undefined) return undefined;
  for (const slug of await workspacesOf(client, owner)) {
    const taxonomy = await readTaxonomy(client, slug);
    const drawer = findDrawer(taxonomy, label);
    if (drawer !== undefined && findFolder(taxonomy, label) !== undefined) return drawer;
  }
  return undefined;
}

function subtreeOf(tags: Taxonomy["tags"], id: string | undefined): string[] {
  if (id === undefined) return [];
  return [id, ...tags.filter((tag) => tag.parent_id === id).flatMap((tag) => subtreeOf(tags, tag.id))];
}

export interface MatchPage {
  matches: Match[];
  /** The places to continue from; undefined at the end. */
  next: Places | undefined;
}

/** Returns the workspaces to search: the requested one, or all of the user's. */
async function workspacesOf(client: Client, owner: string | undefined): Promise<string[]> {
  if (owner !== undefined) return [owner];
  return (await client.call(accountRoute)).workspaces.map(({ slug }) => slug);
}

/** Throws `ToolError` for a label that none of the workspaces has, because a typo must not match more or less. */
async function checkLabels(
  client: Client,
  owners: readonly string[],
  { folder, tags = [], without_tags = [] }: Filters,
) {
  if (folder === undefined && tags.length === 0 && without_tags.length === 0) return;
  const taxonomies = await Promise.all(owners.map((owner) => readTaxonomy(client, owner)));
  // One that has the labels of all, for the message.
  const all = {
    owner: owners.join(", "),
    drawers: taxonomies.flatMap(({ drawers }) => drawers),
    folders: taxonomies.flatMap(({ folders }) => folders),
    tags: taxonomies.flatMap(({ tags: own }) => own),
  };
  if (folder !== undefined && !taxonomies.some((taxonomy) => placeOf(taxonomy, folder) !== undefined)) {
    throw noSuch("folder", all, folder);
  }
  for (const label of [...tags.filter((one) => one !== "none"), ...without_tags]) {
    if (!taxonomies.some((taxonomy) => findTag(taxonomy, label) !== undefined)) throw noSuch("tag", all, label);
  }
}

/** Finds reports in one workspace or all, newest first unless `sort` says otherwise. Throws `ToolError`. */
export async function findMatches(
  client: Client,
  filters: Filters,
  {
    owner,
    sort = "updated",
    limit,
    start,
  }: { owner: string | undefined; sort?: Sort | undefined; limit: number; start?: Places | undefined },
): Promise<MatchPage> {
  const owners = start === undefined ? await workspacesOf(client, owner) : [...start.keys()];
  if (start === undefined) await checkLabels(client, owners, filters);
  const opened = await Promise.all(
    owners.map((one) => openWorkspace(client, one, filters, sort, start?.get(one) ?? { cursor: undefined, taken: 0 })),
  );
  const sources = opened.filter((source) => source !== undefined);
  const matches: Match[] = [];
  while (matches.length < limit) {
    const heads = await Promise.all(sources.map(({ head }) => head()));
    // Where a source has not been read to its end, what follows may come before the others.
    if (sources.some(({ isAtEnd }, index) => heads[index] === undefined && !isAtEnd())) break;
    const [first] = heads.filter((head) => head !== undefined).toSorted((a, b) => compare(a.match, b.match, sort));
    if (first === undefined) break;
    matches.push(first.match);
    first.advance();
  }
  // Reads on, so that a page that ends with the last report says so.
  const rest = await Promise.all(sources.map(({ head }) => head()));
  const open = sources.filter(({ isAtEnd }, index) => rest[index] !== undefined || !isAtEnd());
  return {
    matches,
    next: open.length === 0 ? undefined : new Map(open.map(({ owner: slug, place }) => [slug, place()])),
  };
}

function compare(a: Match, b: Match, sort: Sort): number {
  const direction = sort.startsWith("-") ? -1 : 1;
  const field = sort.replace("-", "");
  if (field === "updated") return direction * byText(b.updated_at, a.updated_at);
  if (field === "created") return direction * byText(b.created_at, a.created_at);
  const textOf = (match: Match) => (field === "title" ? match.title : (match.name ?? match.code)).toLowerCase();
  return direction * byText(textOf(a), textOf(b));
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Reports that one call changes at most. */
const MAX_MATCHES = 2000;

/** Returns all matching reports, in one workspace. Throws `ToolError` if there are too many. */
export async function findAll(client: Client, filters: Filters, owner: string): Promise<Match[]> {
  const matches: Match[] = [];
  let start: Places | undefined;
  do {
    const page = await findMatches(client, filters, { owner, limit: 200, start });
    matches.push(...page.matches);
    start = page.next;
    if (matches.length > MAX_MATCHES) {
      throw new ToolError(`More than ${MAX_MATCHES} reports match. Narrow the filters and call several times.`);
    }
  } while (start !== undefined);
  return matches;
}
