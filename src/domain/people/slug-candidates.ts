const LENGTH = 39;
/** The length of the longest ending that is appended below. */
const ENDING_LENGTH = 7;
/** The attempt from which endings are random, so that a long run of taken slugs doesn't cost an attempt each. */
const COUNTED = 9;

/**
 * Returns the slug to try in an attempt, counted from 0: first the beginning of a user name or email address, then with
 * a number, then with `chance`, which has six lowercase letters and digits.
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
