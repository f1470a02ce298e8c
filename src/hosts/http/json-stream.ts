/**
 * A JSON answer that is written piece by piece, so that one of any length neither fills the memory nor holds the event
 * loop.
 */
export function streamedJson(pieces: AsyncGenerator<string>): Response {
  return new Response(encoded(pieces), { headers: { "Content-Type": "application/json" } });
}

async function* encoded(pieces: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield encoder.encode(piece);
}

/** The inside of a JSON array, a page of entries at a time. */
export async function* arrayPieces<Item>(pages: AsyncIterable<Item[]>, toEntry: (item: Item) => unknown) {
  let separator = "";
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.map((item) => JSON.stringify(toEntry(item))).join(",");
    separator = ",";
    // A turn of the event loop for everybody else.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
