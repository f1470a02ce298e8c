import type { ResponseOf, shortcutsRoute, taxonomyRoute } from "../../client/routes.ts";

export type Taxonomy = ResponseOf<typeof taxonomyRoute>;
export type Shortcut = ResponseOf<typeof shortcutsRoute>["shortcuts"][number];

/** Parts of the cabinet, each a tree of its own. */
export type Section = "shortcuts" | "folders" | "tags";

/** Of the element that names a section. */
export const headingId = (section: Section): string => `cabinet-${section}`;

/** What people make and name here. */
export type CabinetKind = "drawer" | "folder" | "tag";

export interface Entry {
  kind: CabinetKind | "group" | "report";
  /** Of a group its name, of a report its code. */
  id: string;
  title: string;
  /** Reports in it; unknown for what is a report itself. */
  count?: number;
  parentId: string | null;
  /** Whether uploads that name no folder go there. */
  isDefault?: boolean;
}

/** An entry with what stands below it. */
export interface Branch {
  entry: Entry;
  children: readonly Branch[];
}

export interface Contents {
  folders: readonly Branch[];
  tags: readonly Branch[];
  shortcuts: readonly Branch[];
  /** Drawers, folders and tags by id. */
  entries: ReadonlyMap<string, Entry>;
}

/** Arranges what the server lists: drawers with their folders before the folders of the root. */
export function arrange(taxonomy: Taxonomy, shortcuts: readonly Shortcut[]): Contents {
  const drawers = taxonomy.drawers.map(
    ({ id, title, item_count }): Entry => ({ kind: "drawer", id, title, count: item_count, parentId: null }),
  );
  const folders = taxonomy.folders.map(
    ({ id, title, item_count, drawer_id }): Entry => ({
      kind: "folder",
      id,
      title,
      count: item_count,
      parentId: drawer_id,
      isDefault: id === taxonomy.default_folder_id,
    }),
  );
  const tags = taxonomy.tags.map(
    ({ id, title, item_count, parent_id }): Entry => ({
      kind: "tag",
      id,
      title,
      count: item_count,
      parentId: parent_id,
    }),
  );
  const entries = new Map([...drawers, ...folders, ...tags].map((entry) => [entry.id, entry]));
  const shortcutEntry = ({ kind, ref, title }: Shortcut): Entry =>
    entries.get(ref) ?? { kind, id: ref, title, parentId: null };
  return {
    folders: grow([...drawers, ...folders]),
    tags: grow(tags),
    shortcuts: shortcuts.map((shortcut) => ({ entry: shortcutEntry(shortcut), children: [] })),
    entries,
  };
}

/** Hangs each entry below its parent; whose parent is unknown stands at the top. */
function grow(entries: readonly Entry[]): Branch[] {
  const branches = new Map(entries.map((entry) => [entry.id, { entry, children: [] as Branch[] }]));
  const roots: Branch[] = [];
  for (const branch of branches.values()) {
    const parent = branch.entry.parentId === null ? undefined : branches.get(branch.entry.parentId);
    (parent?.children ?? roots).push(branch);
  }
  return roots;
}

/** From the entry's parent up to the top. */
export function ancestorsOf(entries: Contents["entries"], entry: Entry): Entry[] {
  const found: Entry[] = [];
  let next = entry.parentId === null ? undefined : entries.get(entry.parentId);
  while (next !== undefined) {
    found.push(next);
    next = next.parentId === null ? undefined : entries.get(next.parentId);
  }
  return found;
}

/** Whether the entry is the one with that id or stands somewhere below it. */
export const isWithin = (entries: Contents["entries"], entry: Entry, id: string): boolean =>
  entry.id === id || ancestorsOf(entries, entry).some((ancestor) => ancestor.id === id);

/** Those that stand directly or further below. */
export const descendantsOf = (entries: Contents["entries"], id: string): Entry[] =>
  [...entries.values()].filter((entry) => entry.id !== id && isWithin(entries, entry, id));

/** Its title after those of what it stands in, as in "Finance / 2026". */
export const pathOf = (entries: Contents["entries"], entry: Entry): string =>
  [entry, ...ancestorsOf(entries, entry)]
    .map(({ title }) => title)
    .reverse()
    .join(" / ");
