/** Most options shown at once. */
const SHOWN = 100;

const fold = (text: string) => text.normalize("NFKC").toLowerCase();

/** Returns whether two titles look the same to a person. */
export const isSameTitle = (one: string, other: string): boolean => fold(one.trim()) === fold(other.trim());

/** Returns the options that contain every word of the query, and how many more there are. */
export function matching<Option>(options: readonly Option[], query: string, textOf: (option: Option) => string) {
  const words = fold(query.replaceAll("/", " "))
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = options.filter((option) => {
    const text = fold(textOf(option));
    return words.every((word) => text.includes(word));
  });
  return { shown: found.slice(0, SHOWN), more: Math.max(found.length - SHOWN, 0) };
}
