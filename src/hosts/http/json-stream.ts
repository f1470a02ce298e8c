/**
 * Returns a JSON response that is written in pieces, so that a long one neither fills the memory nor blocks the event
 * loop.
 */
export function streamedJson(pieces: AsyncGenerator<string>): Response {
  return new Response(encoded(pieces), { headers: { "Content-Type": "application/json" } });
}

async function* encoded(pieces: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield encoder.encode(piece);
}

/** Yields the content of a JSON array, a page of entries at a time. */
export async function* arrayPieces<Item>(pages: AsyncIterable<Item[]>, toEntry: (item: Item) => unknown) {
  let separator = "";
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.map((item) => JSON.stringify(toEntry(item))).join(",");
    separator = ",";
    // Lets the event loop handle other requests.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Returns a download with one line of JSON per entry (jsonlines.org), written a page at a time. */
export function linesOf<Item>(
  pages: AsyncIterable<readonly Item[]>,
  toEntry: (item: Item) => unknown,
  fileName: string,
): Response {
  return new Response(encoded(linePieces(pages, toEntry)), {
    headers: { "Content-Type": "application/jsonl", "Content-Disposition": `attachment; filename="${fileName}"` },
  });
}

async function* linePieces<Item>(pages: AsyncIterable<readonly Item[]>, toEntry: (item: Item) => unknown) {
  for await (const page of pages) {
    if (page.length > 0) yield page.map((item) => `${JSON.stringify(toEntry(item))}\n`).join("");
    // Lets the event loop handle other requests.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
