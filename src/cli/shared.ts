import { loadRoutes, type ResponseOf } from "../client/lazy-routes.ts";
import type { sharedRoute } from "../client/routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, type ServerOptions } from "./options.ts";
import { CommandError } from "./output.ts";
import { printTable } from "./table.ts";
import { counted, shortTime } from "./text.ts";

type Page = ResponseOf<typeof sharedRoute>;

/** The largest page that the server returns. */
const PAGE = 200;
/** Options that concern the cabinet of a workspace. */
const OF_WORKSPACES = ["folder", "tag", "author", "visibility", "since", "until"] as const;

interface SharedOptions extends ServerOptions, Partial<Record<(typeof OF_WORKSPACES)[number], unknown>> {
  owner?: string;
  limit: number;
}

/** Prints reports of other people that are shared with the user, most recently updated first. */
export async function findShared(words: readonly string[], options: SharedOptions, context: CliContext): Promise<void> {
  const unfit = OF_WORKSPACES.find((name) => options[name] !== undefined);
  if (unfit !== undefined) throw new CommandError(`--shared can't be combined with --${unfit}. Omit one of them.`);
  const { session, output } = await connect(context, options);
  const { sharedRoute } = await loadRoutes.shared();
  const filter = {
    ...(words.length === 0 ? {} : { q: words.join(" ") }),
    ...(options.owner === undefined ? {} : { owner: options.owner }),
  };
  const items: Page["items"] = [];
  let cursor: string | null = null;
  do {
    const limit = Math.min(options.limit - items.length, PAGE);
    const page: Page = await session.call(sharedRoute, { query: { ...filter, limit, ...(cursor ? { cursor } : {}) } });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null && items.length < options.limit);
  if (options.json) return output.out(JSON.stringify({ items, is_more: cursor !== null }));
  if (items.length === 0) return output.note("No reports found.");
  const rows = items.map(({ name, code, is_version, title, shared_by, owner_slug, updated_at }) => [
    is_version ? code : (name ?? code),
    title,
    shared_by?.slug ?? owner_slug,
    output.isOutTerminal ? shortTime(updated_at) : updated_at,
    owner_slug,
  ]);
  printTable(output, ["NAME OR CODE", "TITLE", "SHARED BY", "UPDATED", "OWNER"], rows);
  if (cursor !== null) output.note(`Showing ${counted(items.length, "report")}. Use --limit to see more.`);
}
