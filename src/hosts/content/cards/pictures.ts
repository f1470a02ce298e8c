import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Card } from "../../../domain/cards/cards.ts";
import { unavailable } from "../../../domain/model/failure.ts";
import type { Threads } from "../../../threads/threads.ts";
import { matchesEtag } from "../../http/etags.ts";
import type { CardCalls } from "./card-worker.ts";
import type { CardText } from "./drawing.ts";

type Picture = Uint8Array<ArrayBuffer>;

/** Bytes of all pictures in memory; each has some 30 KB. */
const CACHE_BYTES = 8 * 1024 * 1024;
/** Pictures that wait for the thread. */
const WAITING = 20;
/** Milliseconds for one picture, including those before it in the thread. */
const DEADLINE = 30_000;
/** Milliseconds without a picture after which the thread is stopped to free its memory. */
const IDLE_TIME = 30_000;

/** Creates the source of pictures of cards, which are drawn in a separate thread when they are first requested. */
export function createCardPictures(threads: Threads) {
  const script = new URL("./card-worker.ts", import.meta.url);
  const thread = threads.create<CardCalls>({ name: "card drawer", script, deadline: DEADLINE });
  const drawn = new LRUCache<string, Picture>({ maxSize: CACHE_BYTES, sizeCalculation: ({ length }) => length });
  const drawing = new Map<string, Promise<Picture>>();
  let resting: ReturnType<typeof setTimeout> | undefined;

  /** Returns the picture of a card as PNG. Rejects as `Unavailable` if too many wait. */
  async function load(text: CardText, key: string): Promise<Picture> {
    const known = drawn.get(key) ?? drawing.get(key);
    if (known !== undefined) return known;
    if (drawing.size >= WAITING) throw unavailable("The server is overloaded. Try again.");
    const picture = draw(text);
    drawing.set(key, picture);
    try {
      drawn.set(key, await picture);
      return await picture;
    } finally {
      drawing.delete(key);
    }
  }

  async function draw(text: CardText): Promise<Picture> {
    clearTimeout(resting);
    try {
      return await thread.call("draw", text);
    } finally {
      clearTimeout(resting);
      resting = setTimeout(thread.rest, IDLE_TIME);
      resting.unref();
    }
  }

  function stop(): void {
    clearTimeout(resting);
    thread.stop();
  }

  /** Responds with the picture of a card, or with 304 to clients that have it. */
  async function respond(request: Request, card: Card, headers: Headers): Promise<Response> {
    const text = cardText(card);
    // Cryptographic, so that no title can be crafted to have the picture of another report.
    const key = createHash("sha256").update(JSON.stringify(text)).digest("base64url");
    const etag = `"card-${key}"`;
    headers.set("ETag", etag);
    const known = request.headers.get("if-none-match");
    if (known !== null && matchesEtag(known, etag)) return new Response(null, { status: 304, headers });
    headers.set("Content-Type", "image/png");
    return new Response(await load(text, key), { headers });
  }

  return { respond, stop };
}

export type CardPictures = ReturnType<typeof createCardPictures>;

/** Returns what a picture says about a report. */
const cardText = ({ title, author, versionNo, createdAt }: Card): CardText => ({
  title,
  author: `@${author}`,
  detail: `Version ${versionNo} · ${new Date(createdAt).toISOString().slice(0, 10)}`,
});
