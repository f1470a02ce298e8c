import * as z from "zod";
import { nothing, text } from "../model/common.ts";
import { reportTitle, userSlug } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const LARGEST = 10_000;

const side = (name: string) =>
  z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(1, `must be between 1 and ${LARGEST}`)
    .max(LARGEST, `must be between 1 and ${LARGEST}`)
    .optional()
    .meta({ description: `The maximum ${name} of the frame, in pixels.` });

export const oembedRoute = defineRoute({
  method: "GET",
  path: "/api/oembed",
  id: "oembed",
  summary: "Retrieve an oEmbed response",
  description:
    "Returns how to show a public report in a frame on another page, or what to say about a guest link with a preview, in the form of [oEmbed](https://oembed.com). Requires no authentication. Pages of such links name this address, and so does the `Link` header of public version links.",
  scope: null,
  query: z.object({
    url: text(2000).meta({
      description: "A live link or version link of a public report, or a guest link with a preview.",
      examples: ["https://reports.example.org/@ada/weekly-sales/"],
    }),
    maxwidth: side("width"),
    maxheight: side("height"),
    format: z.literal("json", "must be json").optional().meta({ description: "The format of the response." }),
  }),
  body: nothing,
  response: z
    .object({
      type: z.enum(["rich", "link"]).meta({ description: "`link` for a guest link that can't be embedded." }),
      version: z.literal("1.0"),
      title: reportTitle,
      author_name: userSlug.meta({ description: "The slug of the workspace that published the report." }),
      provider_name: z.literal("Vitrine"),
      provider_url: z.url().meta({ description: "The address of this server." }),
      html: z.string().optional().meta({ description: "The frame as HTML. Missing for a `link`, as are its sides." }),
      width: z
        .int()
        .optional()
        .meta({ description: "The width of the frame, in pixels.", examples: [800] }),
      height: z
        .int()
        .optional()
        .meta({ description: "The height of the frame, in pixels.", examples: [600] }),
      thumbnail_url: z.url().meta({ description: "The report's card, as PNG." }),
      thumbnail_width: z.int().meta({ description: "The width of the card, in pixels.", examples: [1200] }),
      thumbnail_height: z.int().meta({ description: "The height of the card, in pixels.", examples: [630] }),
    })
    .meta({ id: "OEmbed" }),
  failures: {
    400: "A query parameter is missing or invalid.",
    404: "There is no public report or guest link with a preview at the address.",
  },
});
