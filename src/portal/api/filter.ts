import { z } from "zod";

const SORTS = ["updated", "-updated", "created", "-created", "title", "-title", "name", "-name"] as const;

const some = z.string().min(1).optional().catch(undefined);
/** In an address that somebody wrote by hand, `q=2026` is a number. */
const sought = z.union([z.string().min(1), z.number(), z.boolean()]).transform(String);

/** Which reports of a workspace are shown, and how: what the address of the page says. Whatever makes no sense is left out. */
export const itemFilter = z.object({
  q: sought.optional().catch(undefined),
  /** An id, or `none` for what is in no folder. */
  folder: some,
  drawer: some,
  /** Ids that all have to be there, or `none`. */
  tags: z.array(z.string()).min(1).optional().catch(undefined),
  /** Whether tags below the given ones count as well. */
  within: z.literal("subtree").optional().catch(undefined),
  visibility: z.enum(["public", "private", "org"]).optional().catch(undefined),
  sort: z.enum(SORTS).optional().catch(undefined),
});

export type ItemFilter = z.output<typeof itemFilter>;

export const homeSearch = itemFilter.extend({
  view: z.enum(["list", "gallery"]).optional().catch(undefined),
});

export type HomeSearch = z.output<typeof homeSearch>;
