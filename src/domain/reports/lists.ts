import type { Cursors } from "../model/cursors.ts";
import type { Caller, Membership } from "../model/entities.ts";
import { invalid } from "../model/failure.ts";
import type { ListedItem, ReportStore } from "./ports.ts";

/** Rows read at a time: few enough not to block the event loop. */
const PAGE = 500;

const KINDS = ["group", "report"] as const;
export type ListKind = (typeof KINDS)[number];

/** The last entry of a page. The next page begins after it. */
export interface ListPlace {
  kind: ListKind;
  workspaceId: string;
  id: number;
}

export interface ListPage {
  groups: ListedItem[];
  standalone: ListedItem[];
  nextCursor: string | null;
}

interface Entry extends ListPlace {
  item: ListedItem;
}

interface Dependencies {
  store: { reports: ReportStore };
  cursors: Cursors<ListPlace>;
}

/** Creates the service that lists all reports that a caller may read. */
export function createLists({ store, cursors }: Dependencies) {
  /** Yields all named or all unnamed reports, workspace by workspace, newest first, a page at a time. */
  async function* pages(caller: Caller, kind: ListKind): AsyncGenerator<ListedItem[]> {
    for (const membership of caller.memberships) yield* pagesOf(caller.userId, membership, kind);
  }

  async function* pagesOf(userId: string, membership: Membership, kind: ListKind, start?: number, limit = PAGE) {
    let beforeId = start;
    for (;;) {
      const page = await store.reports.listItems({ userId, membership, kind, beforeId, limit });
      if (page.length > 0) yield page;
      if (page.length < limit) return;
      beforeId = page.at(-1)?.id;
    }
  }

  /** Returns one page of all reports: first named, then unnamed, each in the order of `pages`. Throws `Invalid`. */
  async function page(caller: Caller, limit: number, cursor: string | undefined): Promise<ListPage> {
    const start = cursor === undefined ? undefined : cursors.decode(caller.userId, cursor);
    const listed: Entry[] = [];
    for await (const entry of entriesFrom(caller, start, limit)) if (listed.push(entry) > limit) break;
    const shown = listed.slice(0, limit);
    const itemsOf = (requested: ListKind) => shown.filter(({ kind }) => kind === requested).map(({ item }) => item);
    const last = listed.length > limit ? shown.at(-1) : undefined;
    return { groups: itemsOf("group"), standalone: itemsOf("report"), nextCursor: last ? encode(caller, last) : null };
  }

  async function* entriesFrom(caller: Caller, start: ListPlace | undefined, limit: number): AsyncGenerator<Entry> {
    const pageSize = Math.min(limit + 1, PAGE);
    for (const { kind, membership, beforeId } of sectionsFrom(caller, start)) {
      for await (const items of pagesOf(caller.userId, membership, kind, beforeId, pageSize)) {
        for (const item of items) yield { kind, workspaceId: membership.id, id: item.id, item };
      }
    }
  }

  const encode = ({ userId }: Caller, { kind, workspaceId, id }: ListPlace) =>
    cursors.encode(userId, { kind, workspaceId, id });

  return { pages, page };
}

export type Lists = ReturnType<typeof createLists>;

/** Returns the sections that remain to be listed, beginning at `start`. */
function sectionsFrom({ memberships }: Caller, start: ListPlace | undefined) {
  const sections = KINDS.flatMap((kind) => memberships.map((membership) => ({ kind, membership })));
  if (start === undefined) return sections.map((section) => ({ ...section, beforeId: undefined }));
  const first = sections.findIndex(
    ({ kind, membership }) => kind === start.kind && membership.id === start.workspaceId,
  );
  if (first < 0) throw invalid("cursor belongs to a workspace that you have left. List from the start.");
  return sections
    .slice(first)
    .map((section, position) => ({ ...section, beforeId: position === 0 ? start.id : undefined }));
}
