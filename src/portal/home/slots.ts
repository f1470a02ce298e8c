import type { ResponseOf, searchRoute } from "../../client/routes.ts";
import { referenceText } from "../api/references.ts";

export type Page = ResponseOf<typeof searchRoute>;
export type Item = Page["items"][number];

export const keyOf = (item: Item): string => referenceText(item);

/** A page of the list, with its content as last read. */
export interface Slot {
  cursor: string | null;
  page: Page | undefined;
}

/** Returns the cached pages, up to the first missing one. */
export function restoreSlots(read: (cursor: string | null) => Page | undefined): readonly Slot[] {
  const slots: Slot[] = [];
  let cursor: string | null = null;
  do {
    const page: Page | undefined = read(cursor);
    slots.push({ cursor, page });
    cursor = page?.next_cursor ?? null;
  } while (cursor !== null);
  return slots;
}

/**
 * Returns the slots after one page was read. A page starts after the last entry of the page before it: if that entry
 * changed, the next page starts elsewhere and keeps its old content until it is shown.
 */
export function receivePage(slots: readonly Slot[], index: number, cursor: string | null, page: Page) {
  const slot = slots[index];
  if (slot === undefined || slot.cursor !== cursor || slot.page === page) return slots;
  const upTo = [...slots.slice(0, index), { cursor, page }];
  if (page.next_cursor === null) return upTo;
  const next = slots[index + 1];
  return [...upTo, { cursor: page.next_cursor, page: next?.page }, ...slots.slice(index + 2)];
}

export interface Flat {
  items: readonly Item[];
  /** Keys in the order of the items. */
  keys: readonly string[];
  indexes: ReadonlyMap<string, number>;
  /** Index of each page's first item. */
  starts: readonly number[];
}

/** Returns the items of all pages without duplicates; pages read at different times may share an item that moved. */
export function flatten(slots: readonly Slot[], hidden: ReadonlySet<string>): Flat {
  const items: Item[] = [];
  const keys: string[] = [];
  const indexes = new Map<string, number>();
  const starts: number[] = [];
  for (const { page } of slots) {
    starts.push(items.length);
    for (const item of page?.items ?? []) {
      const key = keyOf(item);
      if (indexes.has(key) || hidden.has(key)) continue;
      indexes.set(key, items.length);
      items.push(item);
      keys.push(key);
    }
  }
  return { items, keys, indexes, starts };
}

/** Returns the index of the page that contains an item. */
export function slotAt(starts: readonly number[], index: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}
