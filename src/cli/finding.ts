import { type Command, InvalidArgumentError } from "commander";
import { loadRoutes, type ResponseOf } from "../client/lazy-routes.ts";
import type { searchRoute } from "../client/routes.ts";
import { findFolder, findTag, readTaxonomy } from "./cabinet-titles.ts";
import { begin, collect, type ServerOptions, withServerOptions } from "./options.ts";
import { CommandError, type Output } from "./output.ts";
import type { Session } from "./session.ts";
import type { Surroundings } from "./surroundings.ts";
import { printTable } from "./table.ts";
import { counted, shortTime } from "./text.ts";

export interface FindOptions extends ServerOptions {
  owner?: string;
  folder?: string;
  tag?: string[];
  limit: number;
}

type Page = ResponseOf<typeof searchRoute>;
type FoundItem = Page["items"][number] & { owner_slug: string };

const LIMIT = 50;
/** The most that the server gives at once. */
const PAGE = 200;

export const withFindOptions = (command: Command): Command =>
  withServerOptions(
    command
      .option("--owner <slug>", "of this workspace alone (default: of all of yours)")
      .option("--folder <label>", "filed there, such as Sales/2026; none for what is filed nowhere")
      .option("--tag <title>", "with this tag; may be given several times; none for what has no tag", collect)
      .option("--limit <count>", "as many at the most", parseCount, LIMIT),
  );

function parseCount(value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It must be a number from 1 on.");
}

/** Prints what a search over the workspaces brings, what was changed last first. */
export async function find(words: readonly string[], options: FindOptions, surroundings: Surroundings): Promise<void> {
  const { session, output } = await begin(surroundings, options);
  const owners = options.owner === undefined ? await readOwners(session) : [options.owner];
  const pages = await Promise.all(owners.map((owner) => findIn(session, owner, words.join(" "), options)));
  const places = pages.filter((page) => page !== undefined);
  if (places.length === 0) throw new CommandError(`There is no such ${options.tag ? "tag or folder" : "folder"}.`);
  const all = places.flatMap(({ items }) => items).sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
  const items = all.slice(0, options.limit);
  const isMore = all.length > items.length || places.some((place) => place.isMore);
  if (options.json) output.out(JSON.stringify({ items, is_more: isMore }));
  else show(output, items, isMore, owners.length > 1);
}

async function readOwners(session: Session): Promise<string[]> {
  const { accountRoute } = await loadRoutes.account();
  const { workspaces } = await session.call(accountRoute);
  return workspaces.map(({ slug }) => slug);
}

/** Undefined when the workspace has no such folder or tag. */
async function findIn(session: Session, owner: string, q: string, { folder, tag = [], limit }: FindOptions) {
  const place = folder === undefined && tag.length === 0 ? {} : await findPlace(session, owner, folder, tag);
  if (place === undefined) return undefined;
  const { searchRoute } = await loadRoutes.search();
  const items: FoundItem[] = [];
  let cursor: string | null = null;
  do {
    const query = { owner, q, ...place, limit: Math.min(limit - items.length, PAGE), ...(cursor ? { cursor } : {}) };
    const page: Page = await session.call(searchRoute, { query });
    items.push(...page.items.map((item) => ({ ...item, owner_slug: page.searchedScope })));
    cursor = page.next_cursor;
  } while (cursor !== null && items.length < limit);
  return { items, isMore: cursor !== null };
}

async function findPlace(session: Session, owner: string, folder: string | undefined, tags: readonly string[]) {
  const taxonomy = await readTaxonomy(session, owner);
  const folderId = folder === undefined || folder === "none" ? folder : findFolder(taxonomy, folder)?.id;
  const tagIds = tags.map((title) => (title === "none" ? title : findTag(taxonomy, title)?.id));
  if ((folder !== undefined && folderId === undefined) || tagIds.includes(undefined)) return undefined;
  return {
    ...(folderId === undefined ? {} : { folder_id: folderId }),
    tag_id: tagIds.filter((id) => id !== undefined),
  };
}

function show(output: Output, items: readonly FoundItem[], isMore: boolean, hasOwners: boolean): void {
  if (items.length === 0) {
    output.note("Nothing was found.");
    return;
  }
  const rows = items.map(
    ({ name, code, title, version_count, visibility, current_visibility, updated_at, owner_slug }) => [
      name ?? code,
      title,
      String(version_count),
      // A script's fields keep their values; `--json` has both.
      output.isOutTerminal && current_visibility !== visibility
        ? `${visibility} (current: ${current_visibility})`
        : visibility,
      output.isOutTerminal ? shortTime(updated_at) : updated_at,
      ...(hasOwners ? [owner_slug] : []),
    ],
  );
  const header = ["NAME OR CODE", "TITLE", "VERSIONS", "VISIBILITY", "UPDATED", ...(hasOwners ? ["OWNER"] : [])];
  printTable(output, header, rows);
  if (isMore) output.note(`These are the first ${counted(items.length, "report")}; --limit shows more.`);
}
