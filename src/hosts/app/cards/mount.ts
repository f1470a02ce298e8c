import { oembedRoute } from "../../../contract/cards/cards.ts";
import { FRAME_FEATURES, SANDBOX_TOKENS } from "../../../contract/model/frames.ts";
import type { ResponseOf } from "../../../contract/model/route.ts";
import { CARD_SIZE } from "../../../domain/cards/cards.ts";
import { notFound } from "../../../domain/model/failure.ts";
import type { Addresses, Links } from "../../../domain/model/links.ts";
import { quote } from "../../../domain/model/quote.ts";
import type { Services } from "../../../domain/services.ts";
import { embedHtml } from "../../../look/embed.ts";
import type { Mount } from "../mount.ts";

/** The size of the frame unless the other site wants a smaller one. */
const WIDTH = 800;
const HEIGHT = 600;

interface Dependencies extends Pick<Services, "cards"> {
  addresses: Addresses;
  links: Pick<Links, "card">;
}

export function mountRoutes(mount: Mount, { cards, addresses, links }: Dependencies): void {
  mount.openWithQuery(oembedRoute, async ({ url, maxwidth = WIDTH, maxheight = HEIGHT }) => {
    const card = await cards.find(url);
    if (card === undefined) throw notFound(`No public report found at ${quote(url)}. Check the link.`);
    const { title, author, code, embedUrl } = card;
    const [width, height] = [Math.min(WIDTH, maxwidth), Math.min(HEIGHT, maxheight)];
    const html = embedHtml({
      ...{ url: embedUrl, title, width: String(width), height },
      ...{ sandbox: SANDBOX_TOKENS, allow: FRAME_FEATURES },
    });
    const answer: ResponseOf<typeof oembedRoute> = {
      type: "rich",
      version: "1.0",
      title,
      author_name: author,
      provider_name: "Vitrine",
      provider_url: addresses.baseUrl,
      html,
      width,
      height,
      thumbnail_url: links.card(code),
      thumbnail_width: CARD_SIZE.width,
      thumbnail_height: CARD_SIZE.height,
    };
    return answer;
  });
}
