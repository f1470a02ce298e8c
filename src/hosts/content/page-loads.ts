/** What `isPageLoad` looks at, for caches to know. */
export const PAGE_LOAD_HEADERS = ["Sec-Fetch-Dest", "Upgrade-Insecure-Requests"] as const;

const PAGE_PLACES: ReadonlySet<string> = new Set(["document", "iframe", "frame", "embed", "object"]);

/**
 * Whether a browser asks for a page to show it, in a tab or a frame, and is not read by a script or a program. Over plain http
 * browsers say so only by asking for https, but on the machine that serves.
 */
export function isPageLoad(headers: Headers): boolean {
  const place = headers.get("sec-fetch-dest");
  return place === null ? headers.get("upgrade-insecure-requests") === "1" : PAGE_PLACES.has(place);
}
