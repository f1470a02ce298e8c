import { ancestorsOf, type Branch, type CabinetKind, type Contents, type Entry } from "./entries.ts";

interface Place {
  /** Stable for the same entry of the same section. */
  key: string;
  /** 1 at the top. */
  level: number;
  /** From 1 among its siblings. */
  position: number;
  setSize: number;
}

/** A new entry without a name. */
export interface Draft {
  kind: CabinetKind;
  parentId: string | null;
}

export type EntryRow = Place & {
  entry: Entry /** Undefined without children. */;
  isOpen: boolean | undefined;
};
export type DraftRow = Place & { draft: Draft };
export type Row = EntryRow | DraftRow;

export const isEntryRow = (row: Row | undefined): row is EntryRow => row !== undefined && "entry" in row;

const INDENT = 14;
const MAX_INDENT_LEVEL = 6;

/** Returns the indentation in pixels; capped so that titles keep room. */
export const indentOf = (level: number): number => Math.min(level - 1, MAX_INDENT_LEVEL) * INDENT;

interface Options {
  /** Prefix of every key. */
  prefix: string;
  isOpen(id: string): boolean;
  /** Shows only these ids, all expanded; everything if omitted. */
  kept?: ReadonlySet<string> | undefined;
  draft?: Draft | undefined;
}

export const DRAFT_KEY = "draft";

/** Returns the visible rows of a tree, top to bottom. */
export function flatten(roots: readonly Branch[], { prefix, isOpen, kept, draft }: Options): Row[] {
  const rows: Row[] = [];
  const levels: { branches: readonly Branch[]; next: number; setSize: number; offset: number }[] = [];

  function enter(branches: readonly Branch[], parentId: string | null): void {
    const shown = kept === undefined ? branches : branches.filter(({ entry }) => kept.has(entry.id));
    const offset = draft !== undefined && draft.parentId === parentId ? 1 : 0;
    const setSize = shown.length + offset;
    levels.push({ branches: shown, next: 0, setSize, offset });
    if (draft !== undefined && offset === 1) {
      rows.push({ key: DRAFT_KEY, level: levels.length, position: 1, setSize, draft });
    }
  }

  enter(roots, null);
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const branch = level.branches[level.next++];
    if (branch === undefined) {
      levels.pop();
      continue;
    }
    const { entry, children } = branch;
    const below = kept === undefined ? children : children.filter((child) => kept.has(child.entry.id));
    const hasDraft = draft?.parentId === entry.id;
    const isParent = below.length > 0 || hasDraft;
    const opened = hasDraft || kept !== undefined || isOpen(entry.id);
    rows.push({
      key: `${prefix}:${entry.id}`,
      level: levels.length,
      position: level.next + level.offset,
      setSize: level.setSize,
      entry,
      isOpen: isParent ? opened : undefined,
    });
    if (isParent && opened) enter(below, entry.id);
  }
  return rows;
}

const folded = (text: string) => text.normalize("NFKC").toLocaleLowerCase();

/** Returns the ids whose titles contain every word, with their ancestors; undefined without words. */
export function matchingIds(filter: string, section: readonly Entry[], entries: Contents["entries"]) {
  const words = folded(filter).split(/\s+/u).filter(Boolean);
  if (words.length === 0) return undefined;
  const kept = new Set<string>();
  for (const entry of section) {
    const title = folded(entry.title);
    if (!words.every((word) => title.includes(word))) continue;
    kept.add(entry.id);
    for (const ancestor of ancestorsOf(entries, entry)) kept.add(ancestor.id);
  }
  return kept;
}

/** Returns the first row from `index` on, wrapping around, whose title starts with the text. */
export function findByStart(rows: readonly Row[], index: number, text: string): number | undefined {
  const start = folded(text);
  for (let step = 0; step < rows.length; step++) {
    const at = (index + step) % rows.length;
    const row = rows[at];
    if (isEntryRow(row) && folded(row.entry.title).startsWith(start)) return at;
  }
  return undefined;
}

/** Returns the index of a row's parent. */
export function parentIndex(rows: readonly Row[], index: number): number | undefined {
  const level = rows[index]?.level ?? 1;
  for (let at = index - 1; at >= 0; at--) {
    const row = rows[at];
    if (row !== undefined && row.level < level) return at;
  }
  return undefined;
}

/** Returns the key of the row to focus once this one and its children are gone. */
export function neighborOf(rows: readonly Row[], key: string): string | undefined {
  const index = rows.findIndex((row) => row.key === key);
  const level = rows[index]?.level ?? 1;
  const after = rows.slice(index + 1).find((row) => row.level <= level);
  return (after ?? rows[index - 1])?.key;
}
