const LONGEST = 39;

export const SLUG_RULE = "Use 1 to 39 lower-case letters, digits or hyphens, beginning with a letter or digit.";

/** A short name made from what people call something; empty where nothing of it can stand in one. */
export function suggestSlug(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, "");
}
