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

/**
 * Returns data as JSON with an entity tag, or 304 if the client already has it. Clients may keep the data, but have to ask
 * each time whether it is current.
 */
export function respondRevalidated(request: Headers, data: unknown): Response {
  const body = JSON.stringify(data);
  const etag = weaken(`"${Bun.hash(body).toString(36)}"`);
  const headers = { ETag: etag, "Cache-Control": "private, no-cache" };
  const known = request.get("if-none-match");
  if (known !== null && matchesEtag(known, etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "Content-Type": "application/json" } });
}

const withoutWeakness = (etag: string): string => etag.replace(/^W\//, "");
