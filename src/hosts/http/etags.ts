/** Returns whether an `If-None-Match` header contains the entity tag, by weak comparison (RFC 9110 §13.1.2). */
export function matchesEtag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === "*") return true;
  const opaque = withoutWeakness(etag);
  return header.split(",").some((candidate) => withoutWeakness(candidate.trim()) === opaque);
}

/**
 * Returns the weak form of an entity tag. Compressed and uncompressed bodies that are made for each request may share a
 * weak tag, but not a strong one (RFC 9110 §8.8.1).
 */
export const weaken = (etag: string): string => (etag.startsWith("W/") ? etag : `W/${etag}`);

const withoutWeakness = (etag: string): string => etag.replace(/^W\//, "");
