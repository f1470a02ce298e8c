/** How many options are worth reading through; who has more types. */
const SHOWN = 100;

const fold = (text: string) => text.normalize("NFKC").toLowerCase();

/** Whether two titles are the same to a person. */
export const isSameTitle = (one: string, other: string): boolean => fold(one.trim()) === fold(other.trim());

/** Those whose text has every word of the query in it, and how many more there are than can be shown. */
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
