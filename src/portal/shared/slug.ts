const MAX_LENGTH = 39;

export const SLUG_RULE = "Use 1 to 39 lowercase letters, digits or hyphens, starting with a letter or digit.";

/** Returns a slug made from a name; empty if no character of it is valid. */
export function suggestSlug(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, "");
}
