import type { Cards } from "../../../domain/cards/cards.ts";
import { plainHeaders } from "../headers.ts";
import type { CardPictures } from "./pictures.ts";

interface Dependencies {
  cards: Pick<Cards, "ofCode">;
  cardPictures: Pick<CardPictures, "respond">;
  missing(request: Request): Response;
}

/** Creates the function that serves the cards of public reports as pictures. */
export const createCardServer =
  ({ cards, cardPictures, missing }: Dependencies) =>
  async (request: Request, code: string): Promise<Response> => {
    const card = await cards.ofCode(code);
    if (card === undefined) return missing(request);
    const headers = plainHeaders({ "Cache-Control": "public, max-age=0, must-revalidate" });
    return cardPictures.respond(request, card, headers);
  };
