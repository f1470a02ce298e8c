import { createHash } from "node:crypto";
import type { Card, Cards } from "../../../domain/cards/cards.ts";
import type { Threads } from "../../../threads/threads.ts";
import { matchesEtag } from "../../http/etags.ts";
import { plainHeaders } from "../headers.ts";
import { cardText, createCardPictures } from "./pictures.ts";

interface Dependencies {
  cards: Pick<Cards, "ofCode">;
  threads: Threads;
  missing(request: Request): Response;
}

/** Creates the function that serves the cards of public reports as pictures. */
export function createCardServer({ cards, threads, missing }: Dependencies) {
  const pictures = createCardPictures(threads);

  async function serve(request: Request, code: string): Promise<Response> {
    const card: Card | undefined = await cards.ofCode(code);
    if (card === undefined) return missing(request);
    const text = cardText(card);
    // Cryptographic, so that no title can be crafted to have the picture of another report.
    const key = createHash("sha256").update(JSON.stringify(text)).digest("base64url");
    const etag = `"card-${key}"`;
    const headers = plainHeaders({ ETag: etag, "Cache-Control": "public, max-age=0, must-revalidate" });
    const known = request.headers.get("if-none-match");
    if (known !== null && matchesEtag(known, etag)) return new Response(null, { status: 304, headers });
    headers.set("Content-Type", "image/png");
    return new Response(await pictures.load(text, key), { headers });
  }

  return { serve, stop: pictures.stop };
}
