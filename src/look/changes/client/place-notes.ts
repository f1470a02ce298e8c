/** A note in the margin. */
interface MarginNote {
  id: number;
  /** Where it should stand, in pixels from the top of the page. */
  top: number;
  height: number;
}

/** Pixels between two notes. */
const GAP = 4;

/**
 * Returns the top of each note, in pixels from the top of the page. No notes overlap: a note moves down if the one above needs its
 * place. The current note stays, and notes above it move up instead.
 */
export function placeNotes(notes: readonly MarginNote[], current: number): Map<number, number> {
  const sorted = notes.toSorted((one, other) => one.top - other.top || one.id - other.id);
  const kept = sorted.findIndex(({ id }) => id === current);
  const tops = new Map<number, number>();

  function push(from: number, free: number): void {
    let next = free;
    for (const { id, top, height } of sorted.slice(from)) {
      const at = Math.max(top, next);
      tops.set(id, at);
      next = at + height + GAP;
    }
  }

  push(0, Number.NEGATIVE_INFINITY);
  const keptNote = sorted[kept];
  if (keptNote === undefined) return tops;
  push(kept, Number.NEGATIVE_INFINITY);
  let free = keptNote.top;
  for (const { id, height } of sorted.slice(0, kept).reverse()) {
    const at = Math.min(tops.get(id) ?? 0, free - GAP - height);
    tops.set(id, at);
    free = at;
  }
  return tops;
}
