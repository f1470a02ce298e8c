/** Most reports per API call. */
export const SELECTION_LIMIT = 200;

export interface Selection {
  keys: ReadonlySet<string>;
  /** Selected before the current range. */
  base: ReadonlySet<string>;
  /** Where a range starts. */
  anchor: string | undefined;
  /** The key with the keyboard focus. */
  active: string | undefined;
  /** Whether the limit was reached. */
  isOver: boolean;
}

const none: ReadonlySet<string> = new Set();

export const nothingSelected: Selection = {
  keys: none,
  base: none,
  anchor: undefined,
  active: undefined,
  isOver: false,
};

/** The current order of the list. */
export interface Order {
  keys: readonly string[];
  indexes: ReadonlyMap<string, number>;
}

export function toggle(selection: Selection, key: string): Selection {
  const keys = new Set(selection.keys);
  if (keys.delete(key)) return { keys, base: keys, anchor: key, active: key, isOver: false };
  if (keys.size >= SELECTION_LIMIT) return { ...selection, active: key, isOver: true };
  keys.add(key);
  return { keys, base: keys, anchor: key, active: key, isOver: false };
}

/** Selects from the range's start to a key, replacing the previous range. */
export function extend(selection: Selection, key: string, { keys: order, indexes }: Order): Selection {
  const to = indexes.get(key);
  const anchor = selection.anchor ?? selection.active ?? key;
  const from = indexes.get(anchor) ?? to;
  if (from === undefined || to === undefined) return selection;
  const step = to < from ? -1 : 1;
  const keys = new Set(selection.base);
  let isOver = false;
  for (let index = from; index !== to + step && !isOver; index += step) {
    const next = order[index];
    if (next === undefined || keys.has(next)) continue;
    if (keys.size >= SELECTION_LIMIT) isOver = true;
    else keys.add(next);
  }
  return { keys, base: selection.base, anchor, active: key, isOver };
}

export function selectFirst(selection: Selection, { keys: order }: Order): Selection {
  const keys = new Set(order.slice(0, SELECTION_LIMIT));
  return { ...selection, keys, base: keys, isOver: order.length > SELECTION_LIMIT };
}

export const clear = ({ active }: Selection): Selection => ({ ...nothingSelected, active });

export const moveTo = (selection: Selection, key: string): Selection => ({
  ...selection,
  active: key,
  anchor: key,
  base: selection.keys,
  isOver: false,
});

/** Returns the key to focus once some are gone: the next one, or else the previous one. */
export function neighborOf(gone: ReadonlySet<string>, { keys, indexes }: Order): string | undefined {
  const places = [...gone].flatMap((key) => indexes.get(key) ?? []);
  const last = Math.max(...places);
  for (let index = last + 1; index < keys.length; index++) {
    const key = keys[index];
    if (key !== undefined && !gone.has(key)) return key;
  }
  for (let index = last - 1; index >= 0; index--) {
    const key = keys[index];
    if (key !== undefined && !gone.has(key)) return key;
  }
  return undefined;
}
