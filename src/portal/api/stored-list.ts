/** Returns a list that this browser keeps in its storage, empty if it holds something else. */
export function readStoredList(place: string): readonly unknown[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? "[]");
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}
