/** Returns whether an `If-None-Match` header contains the entity tag, by weak comparison (RFC 9110 §13.1.2). */
export function matchesEtag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === "*") return true;
  return header.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === etag);
}

/**
 * Returns data as JSON with an entity tag, or 304 if the client already has it. Clients may keep the data, but have to ask
 * each time whether it is current.
 */
export function respondRevalidated(request: Headers, data: unknown): Response {
  const body = JSON.stringify(data);
  const tag = `"${Bun.hash(body).toString(36)}"`;
  // Weak, because proxies compress the body.
  const headers = { ETag: `W/${tag}`, "Cache-Control": "private, no-cache" };
  const known = request.get("if-none-match");
  if (known !== null && matchesEtag(known, tag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "Content-Type": "application/json" } });
}
