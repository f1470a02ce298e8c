import { type Taxonomy, tagLabel } from "../client/labels.ts";
import type { ItemDetailEntry } from "../client/routes.ts";
import { quoteTitle } from "./fence.ts";

/** Returns the labels of tags, with the tags above them if the user can read the taxonomy; undefined without tags. */
export function describeTags(
  tags: ItemDetailEntry["tags"],
  taxonomy: Pick<Taxonomy, "tags"> | undefined,
): string | undefined {
  if (tags.length === 0) return undefined;
  const labelOf = ({ id, title }: (typeof tags)[number]) => {
    const known = taxonomy?.tags.find((tag) => tag.id === id);
    return taxonomy === undefined || known === undefined ? title : tagLabel(taxonomy, known);
  };
  return tags.map((tag) => quoteTitle(labelOf(tag))).join(", ");
}
