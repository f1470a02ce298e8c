/** Longest query passed on to a report, in characters; keeps each of its requests small. */
const QUERY_LIMIT = 2_048;

/** Returns the address at which the content host adds the bridge to a report's pages. */
export function withBridge(src: string): string {
  const { origin, pathname } = new URL(src);
  return `${origin}/~framed${pathname}`;
}

/** Passes the query and fragment of the reader's link to the report, which can't see this page's address. */
export function withOwnAddress(src: string): string {
  const { search, hash } = location;
  return src + (search.length > QUERY_LIMIT ? "" : search) + hash;
}
