/** The headers that `isPageLoad` reads, for `Vary`. */
export const PAGE_LOAD_HEADERS = ["Sec-Fetch-Dest", "Upgrade-Insecure-Requests"] as const;

const PAGE_PLACES: ReadonlySet<string> = new Set(["document", "iframe", "frame", "embed", "object"]);

/**
 * Returns whether a browser requests a page to show it in a tab or frame, rather than a script or program to read it. Over
 * plain HTTP, except on localhost, browsers send no `Sec-Fetch-Dest`; `Upgrade-Insecure-Requests` gives them away.
 */
export function isPageLoad(headers: Headers): boolean {
  const place = headers.get("sec-fetch-dest");
  return place === null ? headers.get("upgrade-insecure-requests") === "1" : PAGE_PLACES.has(place);
}
