import type { ResponseOf, shortcutsRoute, taxonomyRoute } from "../../client/routes.ts";

export type Taxonomy = ResponseOf<typeof taxonomyRoute>;
export type Shortcut = ResponseOf<typeof shortcutsRoute>["shortcuts"][number];

/** Sections of the cabinet, each a tree. */
export type Section = "shortcuts" | "folders" | "tags";

/** Id of a section's heading. */
export const headingId = (section: Section): string => `cabinet-${section}`;

/** Kinds that people create and name. */
export type CabinetKind = "drawer" | "folder" | "tag";

export interface Entry {
  kind: CabinetKind | "group" | "report";
  /** A named report's name, or an unnamed one's code. */
  id: string;
  title: string;
  /** Number of reports in it, those with a subtag included; undefined for reports. */
  count?: number;
  parentId: string | null;
  /** Whether uploads without a folder are filed here. */
  isDefault?: boolean;
}

/** An entry with its children. */
export interface Branch {
  entry: Entry;
  children: readonly Branch[];
}

export interface Contents {
  folders: readonly Branch[];
  tags: readonly Branch[];
  /** To drawers, folders and tags; those to reports are stars. */
  shortcuts: readonly Branch[];
  /** Drawers, folders and tags by id. */
  entries: ReadonlyMap<string, Entry>;
}

/** Builds the cabinet's trees; drawers come before folders at the root. */
export function buildContents(
  taxonomy: Pick<Taxonomy, "drawers" | "folders" | "tags" | "default_folder_id">,
  shortcuts: readonly Shortcut[],
): Contents {
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
    ({ id, title, subtree_count, parent_id }): Entry => ({
      kind: "tag",
      id,
      title,
      count: subtree_count,
      parentId: parent_id,
    }),
  );
  const entries = new Map([...drawers, ...folders, ...tags].map((entry) => [entry.id, entry]));
  const shortcutEntry = ({ kind, ref, title }: Shortcut): Entry =>
    entries.get(ref) ?? { kind, id: ref, title, parentId: null };
  return {
    folders: buildTree([...drawers, ...folders]),
    tags: buildTree(tags),
    shortcuts: shortcuts
      .filter(({ kind }) => kind !== "group" && kind !== "report")
      .map((shortcut) => ({ entry: shortcutEntry(shortcut), children: [] })),
    entries,
  };
}

/** Builds a tree; entries with an unknown parent become roots. */
function buildTree(entries: readonly Entry[]): Branch[] {
  const branches = new Map(entries.map((entry) => [entry.id, { entry, children: [] as Branch[] }]));
  const roots: Branch[] = [];
  for (const branch of branches.values()) {
    const parent = branch.entry.parentId === null ? undefined : branches.get(branch.entry.parentId);
    (parent?.children ?? roots).push(branch);
  }
  return roots;
}

/** Returns the ancestors, parent first. */
export function ancestorsOf(entries: Contents["entries"], entry: Entry): Entry[] {
  const found: Entry[] = [];
  let next = entry.parentId === null ? undefined : entries.get(entry.parentId);
  while (next !== undefined) {
    found.push(next);
    next = next.parentId === null ? undefined : entries.get(next.parentId);
  }
  return found;
}

/** Returns whether the entry is, or is below, the entry with that id. */
export const isWithin = (entries: Contents["entries"], entry: Entry, id: string): boolean =>
  entry.id === id || ancestorsOf(entries, entry).some((ancestor) => ancestor.id === id);

/** Returns all entries below. */
export const descendantsOf = (entries: Contents["entries"], id: string): Entry[] =>
  [...entries.values()].filter((entry) => entry.id !== id && isWithin(entries, entry, id));

/** Returns the full path, such as "Finance / 2026". */
export const pathOf = (entries: Contents["entries"], entry: Entry): string =>
  [entry, ...ancestorsOf(entries, entry)]
    .map(({ title }) => title)
    .reverse()
    .join(" / ");
