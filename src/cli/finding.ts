import { type Command, InvalidArgumentError, Option } from "commander";
import { findFolder, findTag, noSuch, readTaxonomy } from "../client/labels.ts";
import { loadRoutes, type ResponseOf } from "../client/lazy-routes.ts";
import type { searchRoute } from "../client/routes.ts";
import type { CliContext } from "./cli-context.ts";
import { collect, connect, type ServerOptions, withServerOptions } from "./options.ts";
import { CommandError, type Output } from "./output.ts";
import { ownersOf } from "./owners.ts";
import type { Session } from "./session.ts";
import { printTable } from "./table.ts";
import { counted, shortTime } from "./text.ts";
import { parseTime } from "./times.ts";

export interface FindOptions extends ServerOptions {
  owner?: string;
  shared?: boolean;
  folder?: string;
  tag?: string[];
  author?: string[];
  visibility?: "public" | "private" | "org";
  since?: string;
  until?: string;
  sort: Sort;
  limit: number;
}

const SORTS = ["updated", "created", "title", "name", "-updated", "-created", "-title", "-name"] as const;
type Sort = (typeof SORTS)[number];

type Page = ResponseOf<typeof searchRoute>;
type FoundItem = Page["items"][number] & { owner_slug: string };

const LIMIT = 50;
/** The largest page that the server returns. */
const PAGE = 200;

export const withFindOptions = (command: Command): Command =>
  withServerOptions(
    command
      .option("--owner <slug>", "only reports of this workspace (default: all of your workspaces)")
      .option("--shared", "reports of other people that are shared with you, instead of those in your workspaces")
      .option("--folder <label>", 'only reports in this folder, such as Sales/2026; "none" for unfiled reports')
      .option("--tag <title>", 'only reports with this tag (repeatable); "none" for untagged reports', collect)
      .option("--author <slug>", "only reports that this user published first (repeatable: any of them)", collect)
      .addOption(
        new Option("--visibility <who>", "only reports with this visibility").choices(["public", "private", "org"]),
      )
      .option(
        "--since <time>",
        "only reports updated at or after this date or time, such as 2026-03-01; 7d means 7 days ago",
      )
      .option("--until <time>", "only reports updated before this date or time")
      .addOption(
        new Option("--sort <order>", "order of the reports; a leading hyphen reverses it, as in --sort=-created")
          .choices(SORTS)
          .default("updated"),
      )
      .option("--limit <count>", "maximum number of reports", parseCount, LIMIT),
  );

function parseCount(value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It must be a positive number.");
}

/** Searches the workspaces and prints what it finds, most recently updated first. */
export async function find(words: readonly string[], options: FindOptions, context: CliContext): Promise<void> {
  if (options.shared) return (await import("./shared.ts")).findShared(words, options, context);
  const { session, output } = await connect(context, options);
  const owners = await ownersOf(session, options.owner);
  const pages = await Promise.all(owners.map((owner) => findIn(session, owner, words.join(" "), options)));
  const found = pages.filter((page) => page !== undefined);
  if (found.length === 0) throw await describeMissing(session, owners, options);
  const merged = found.flatMap(({ items }) => items);
  // Each workspace is sorted already.
  const all = found.length > 1 ? merged.sort(orderBy(options.sort)) : merged;
  const items = all.slice(0, options.limit);
  const isMore = all.length > items.length || found.some((page) => page.isMore);
  if (options.json) output.out(JSON.stringify({ items, is_more: isMore }));
  else show(output, items, isMore, owners.length > 1);
}

const KEYS: Readonly<Record<string, (item: FoundItem) => string>> = {
  created: ({ created_at }) => created_at,
  title: ({ title }) => title.toLowerCase(),
  name: ({ name }) => name ?? "",
};

/** Returns a comparison that orders reports as the server does: times from new to old, words from A to Z. */
function orderBy(sort: Sort): (one: FoundItem, other: FoundItem) => number {
  const [by, isReversed] = sort.startsWith("-") ? [sort.slice(1), true] : [sort, false];
  const keyOf = KEYS[by] ?? (({ updated_at }) => updated_at);
  const isByTime = by === "updated" || by === "created";
  const sign = isByTime === isReversed ? 1 : -1;
  return (one, other) => (keyOf(one) < keyOf(other) ? -sign : keyOf(one) > keyOf(other) ? sign : 0);
}

/** Returns an error that lists the folders or tags of the workspace; those of several would be too many. */
async function describeMissing(
  session: Session,
  owners: readonly string[],
  { folder, tag = [] }: FindOptions,
): Promise<Error> {
  const [owner = "", ...others] = owners;
  if (others.length === 0) {
    const taxonomy = await readTaxonomy(session, owner);
    const isMissing = (title: string) => title !== "none" && findTag(taxonomy, title) === undefined;
    const label = tag.find(isMissing);
    return label === undefined ? noSuch("folder", taxonomy, folder ?? "") : noSuch("tag", taxonomy, label);
  }
  const titles = [folder, ...tag].filter((title) => title !== undefined && title !== "none");
  const kind = tag.length === 0 ? "folder" : folder === undefined ? "tag" : "folder and tag";
  const named = titles.map((title) => `"${title}"`).join(", ");
  return new CommandError(`None of your workspaces has the ${kind} ${named}. Pass --owner to list those of one.`);
}

/** Searches one workspace. Returns undefined if it has no such folder or tag. */
async function findIn(session: Session, owner: string, q: string, options: FindOptions) {
  const { folder, tag = [], author, visibility, sort, limit } = options;
  const place = folder === undefined && tag.length === 0 ? {} : await findFilter(session, owner, options);
  if (place === undefined) return undefined;
  const [since, until] = [timeOf("--since", options.since), timeOf("--until", options.until)];
  const filter = { ...place, author, visibility, since, until, sort };
  const { searchRoute } = await loadRoutes.search();
  const items: FoundItem[] = [];
  let cursor: string | null = null;
  do {
    const query = { owner, q, ...filter, limit: Math.min(limit - items.length, PAGE), ...(cursor ? { cursor } : {}) };
    const page: Page = await session.call(searchRoute, { query });
    items.push(...page.items.map((item) => ({ ...item, owner_slug: page.searchedScope })));
    cursor = page.next_cursor;
  } while (cursor !== null && items.length < limit);
  return { items, isMore: cursor !== null };
}

const timeOf = (option: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : new Date(parseTime(option, text, "before now")).toISOString();

/** Returns the ids of the folder and the tags in a workspace; undefined if it doesn't have all of them. */
async function findFilter(session: Session, owner: string, { folder, tag = [] }: FindOptions) {
  const taxonomy = await readTaxonomy(session, owner);
  const folderId = folder === undefined || folder === "none" ? folder : findFolder(taxonomy, folder)?.id;
  const tagIds = tag.map((title) => (title === "none" ? title : findTag(taxonomy, title)?.id));
  if ((folder !== undefined && folderId === undefined) || tagIds.includes(undefined)) return undefined;
  return {
    ...(folderId === undefined ? {} : { folder_id: folderId }),
    tag_id: tagIds.filter((id) => id !== undefined),
  };
}

function show(output: Output, items: readonly FoundItem[], isMore: boolean, hasOwners: boolean): void {
  if (items.length === 0) {
    output.note("No reports found.");
    return;
  }
  const rows = items.map(
    ({ name, code, title, version_count, visibility, current_visibility, updated_at, owner_slug }) => [
      name ?? code,
      title,
      String(version_count),
      // Scripts get the plain value here, and both values with --json.
      output.isOutTerminal && current_visibility !== visibility
        ? `${visibility} (current: ${current_visibility})`
        : visibility,
      output.isOutTerminal ? shortTime(updated_at) : updated_at,
      ...(hasOwners ? [owner_slug] : []),
    ],
  );
  const header = ["NAME OR CODE", "TITLE", "VERSIONS", "VISIBILITY", "UPDATED", ...(hasOwners ? ["OWNER"] : [])];
  printTable(output, header, rows);
  if (isMore) output.note(`Showing ${counted(items.length, "report")}. Use --limit to see more.`);
}
