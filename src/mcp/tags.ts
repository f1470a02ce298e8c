import { ApiError, type Client } from "../client/client.ts";
import { readTaxonomy, tagLabel } from "../client/labels.ts";
import type { ItemDetailEntry } from "../client/routes.ts";
import { quoteTitle } from "./fence.ts";

/** Returns the labels of a report's tags, with the tags above them where the user can read the cabinet; undefined without tags. */
export async function describeTags(
  client: Client,
  { tags, owner_slug: owner }: Pick<ItemDetailEntry, "tags" | "owner_slug">,
): Promise<string | undefined> {
  if (tags.length === 0) return undefined;
  const taxonomy = await readTaxonomy(client, owner).catch((error) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
  const labelOf = ({ id, title }: (typeof tags)[number]) => {
    const known = taxonomy?.tags.find((tag) => tag.id === id);
    return taxonomy === undefined || known === undefined ? title : tagLabel(taxonomy, known);
  };
  return tags.map((tag) => quoteTitle(labelOf(tag))).join(", ");
}
