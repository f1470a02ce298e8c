import { oembedRoute } from "../../../contract/cards/cards.ts";
import { FRAME_FEATURES, SANDBOX_TOKENS } from "../../../contract/model/frames.ts";
import type { ResponseOf } from "../../../contract/model/route.ts";
import { CARD_SIZE, type Card } from "../../../domain/cards/cards.ts";
import { notFound } from "../../../domain/model/failure.ts";
import type { Addresses } from "../../../domain/model/links.ts";
import { quote } from "../../../domain/model/quote.ts";
import type { Services } from "../../../domain/services.ts";
import { embedHtml } from "../../../look/embed.ts";
import type { Mount } from "../mount.ts";

/** The size of the frame unless the other site wants a smaller one. */
const WIDTH = 800;
const HEIGHT = 600;

interface Dependencies extends Pick<Services, "cards"> {
  addresses: Addresses;
}

export function mountRoutes(mount: Mount, { cards, addresses: { baseUrl, contentUrl } }: Dependencies): void {
  mount.openWithQuery(oembedRoute, async ({ url, maxwidth = WIDTH, maxheight = HEIGHT }) => {
    const card = await cards.find(url);
    if (card === undefined) throw notFound(`No public report found at ${quote(url)}. Check the link.`);
    const answer: ResponseOf<typeof oembedRoute> = {
      ...frameOf(card, Math.min(WIDTH, maxwidth), Math.min(HEIGHT, maxheight)),
      version: "1.0",
      title: card.title,
      author_name: card.author,
      provider_name: "Vitrine",
      provider_url: baseUrl,
      thumbnail_url: card.pictureUrl,
      thumbnail_width: CARD_SIZE.width,
      thumbnail_height: CARD_SIZE.height,
    };
    return answer;
  });

  /** Returns how to show a report: in a frame, if its link may be framed. */
  function frameOf({ embedUrl: url, title }: Card, width: number, height: number) {
    if (url === undefined) return { type: "link" as const };
    // The page of a guest link has its own origin, and frames the report in a sandbox.
    const limits = url.startsWith(contentUrl) ? { sandbox: SANDBOX_TOKENS } : {};
    const html = embedHtml({ url, title, width: String(width), height, ...limits, allow: FRAME_FEATURES });
    return { type: "rich" as const, html, width, height };
  }
}
