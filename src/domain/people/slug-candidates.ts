const LENGTH = 39;
/** Longest of the endings below. */
const ENDING_LENGTH = 7;
/** From here on endings are made by chance, so that no run of taken names is walked through. */
const COUNTED = 9;

/**
 * The slug to try in an attempt, the first being 0: what a user name or an e-mail address begins with, then the same
 * with a number, then with `chance`, six lower-case letters and digits.
 */
export function slugCandidate(name: string, attempt: number, chance: string): string {
  const base = toSlug(name);
  if (attempt === 0) return base;
  const ending = attempt < COUNTED ? String(attempt + 1) : chance;
  return `${base.slice(0, LENGTH - ENDING_LENGTH)}-${ending}`;
}

function toSlug(name: string): string {
  const [local = ""] = name.split("@");
  const plain = local
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-/, "")
      .slice(0, LENGTH)
      .replace(/-$/, "") || "user"
  );
}
