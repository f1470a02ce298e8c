import { createKeptText } from "./compression.ts";

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
 * Creates the function that responds with data as JSON with an entity tag, or with 304 if the client already has it. Clients may keep
 * the data, but have to ask each time whether it is current. What is returned again, as the same object, is neither written nor
 * compressed again.
 */
export function createRevalidation() {
  const written = new WeakMap<object, Written>();

  return async (request: Headers, data: object, mayCompress: boolean): Promise<Response> => {
    const { etag, respond } = written.get(data) ?? write(data);
    const headers = new Headers({ ETag: etag, "Cache-Control": "private, no-cache" });
    const known = request.get("if-none-match");
    if (known !== null && matchesEtag(known, etag)) {
      if (mayCompress) headers.append("Vary", "Accept-Encoding");
      return new Response(null, { status: 304, headers });
    }
    headers.set("Content-Type", "application/json");
    return respond(mayCompress ? request : new Headers(), { status: 200, headers });
  };

  function write(data: object): Written {
    const text = JSON.stringify(data);
    const one = { etag: weaken(`"${Bun.hash(text).toString(36)}"`), respond: createKeptText(text) };
    written.set(data, one);
    return one;
  }
}

interface Written {
  etag: string;
  respond: ReturnType<typeof createKeptText>;
}

const withoutWeakness = (etag: string): string => etag.replace(/^W\//, "");
