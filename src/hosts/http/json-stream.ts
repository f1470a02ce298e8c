import { nextTurn } from "./next-turn.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A response that is written in pieces, so that a long one neither fills the memory nor blocks the event loop. */
export class StreamedAnswer {
  readonly #pieces: AsyncGenerator<string>;
  readonly headers: Headers;

  constructor(pieces: AsyncGenerator<string>, headers: Record<string, string>) {
    this.#pieces = pieces;
    this.headers = new Headers(headers);
  }

  /** Returns the body. Call it once. */
  body(): ReadableStream<Bytes> {
    const pieces = this.#pieces;
    const encoder = new TextEncoder();
    return new ReadableStream<Bytes>(
      {
        async pull(controller) {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        },
        cancel: async (reason) => void (await pieces.return(reason)),
      },
      { highWaterMark: 0 },
    );
  }
}

/** Returns a JSON response. */
export const streamedJson = (pieces: AsyncGenerator<string>): StreamedAnswer =>
  new StreamedAnswer(pieces, { "Content-Type": "application/json" });

/** Yields the content of a JSON array, a page of entries at a time. */
export async function* arrayPieces<Item>(pages: AsyncIterable<Item[]>, toEntry: (item: Item) => unknown) {
  let separator = "";
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.map((item) => JSON.stringify(toEntry(item))).join(",");
    separator = ",";
    // Lets the event loop handle other requests.
    await nextTurn();
  }
}

/** Returns a download with one line of JSON per entry (jsonlines.org), written a page at a time. */
export const linesOf = <Item>(
  pages: AsyncIterable<readonly Item[]>,
  toEntry: (item: Item) => unknown,
  fileName: string,
): StreamedAnswer =>
  new StreamedAnswer(linePieces(pages, toEntry), {
    "Content-Type": "application/jsonl",
    "Content-Disposition": `attachment; filename="${fileName}"`,
  });

async function* linePieces<Item>(pages: AsyncIterable<readonly Item[]>, toEntry: (item: Item) => unknown) {
  for await (const page of pages) {
    if (page.length > 0) yield page.map((item) => `${JSON.stringify(toEntry(item))}\n`).join("");
    // Lets the event loop handle other requests.
    await nextTurn();
  }
}
