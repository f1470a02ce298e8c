import { z } from "zod";

const SORTS = ["updated", "-updated", "created", "-created", "title", "-title", "name", "-name"] as const;

const some = z.string().min(1).optional().catch(undefined);
/** A hand-written `q=2026` parses as a number. */
const searchTerm = z.union([z.string().min(1), z.number(), z.boolean()]).transform(String);

/** Which reports the list shows and how, as in the page's address. Invalid values are ignored. */
export const itemFilter = z.object({
  q: searchTerm.optional().catch(undefined),
  /** An id, or `none` for unfiled reports. */
  folder: some,
  drawer: some,
  /** Ids a report must all have, or `none`. */
  tags: z.array(z.string()).min(1).optional().catch(undefined),
  /** Whether tags below these count too. */
  within: z.literal("subtree").optional().catch(undefined),
  visibility: z.enum(["public", "private", "org"]).optional().catch(undefined),
  sort: z.enum(SORTS).optional().catch(undefined),
});

export type ItemFilter = z.output<typeof itemFilter>;

export const homeSearch = itemFilter.extend({
  view: z.enum(["list", "gallery"]).optional().catch(undefined),
});

export type HomeSearch = z.output<typeof homeSearch>;
