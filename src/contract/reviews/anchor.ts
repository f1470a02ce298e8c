import * as z from "zod";
import { ELEMENT_KINDS } from "../../domain/reviews/anchor.ts";
import { ANCHOR_BYTES } from "../../domain/reviews/limits.ts";
import { text } from "../model/common.ts";

const position = z.int().min(0).max(1_000_000_000);
const path = text(1000).meta({ description: "The page's path in the report.", examples: ["index.html"] });
const headings = z
  .array(text(200))
  .max(6, "must have at most 6 headings")
  .meta({ description: "The headings above it, outermost first.", examples: [["Weekly sales", "North"]] });

const reportAnchor = z.strictObject({ kind: z.literal("report") });

const textAnchor = z.strictObject({
  kind: z.literal("text"),
  path,
  quote: text(1000)
    .refine((quote) => quote !== "", "can't be empty")
    .meta({ description: "The text that is meant." }),
  prefix: text(64).meta({ description: "The text right before it." }),
  suffix: text(64).meta({ description: "The text right after it." }),
  start: position.meta({ description: "Where it starts in the page's normalized text." }),
  end: position.meta({ description: "Where it ends." }),
  headings,
});

const elementAnchor = z.strictObject({
  kind: z.literal("element"),
  path,
  element: z.enum(ELEMENT_KINDS),
  headings,
  label: text(200).meta({ description: "What a person reads.", examples: ["Revenue, March"] }),
  fingerprint: z
    .strictObject({
      text: text(500).optional(),
      table: z
        .strictObject({
          index: position,
          header: z.array(text(200)).max(50),
          row_key: text(200).optional(),
          column_key: text(200).optional(),
        })
        .optional(),
      image: z
        .strictObject({ digest: text(100).optional(), alt: text(200).optional(), src: text(1000).optional() })
        .optional(),
      chart: z
        .strictObject({ library: text(40), title: text(200).optional(), series: z.array(text(200)).max(30) })
        .optional(),
      index: position,
      count: position.optional(),
      elsewhere: position.optional(),
    })
    .meta({ description: "What identifies the element in other versions." }),
});

const anyAnchor = z.discriminatedUnion("kind", [reportAnchor, textAnchor, elementAnchor]);

/** An anchor in a response. */
export const anchor = anyAnchor.meta({
  id: "Anchor",
  description: "What a thread is about: the whole report, a text, or an element.",
});

/** An anchor in a request. */
export const requestedAnchor = anyAnchor
  .refine(
    (value) => new TextEncoder().encode(JSON.stringify(value)).length <= ANCHOR_BYTES,
    `must have at most ${ANCHOR_BYTES} bytes as JSON`,
  )
  .refine((value) => value.kind !== "text" || value.start <= value.end, "must have start before end");
