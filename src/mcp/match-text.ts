import { quoteTitle } from "./fence.ts";
import type { Match } from "./matches.ts";
import { day } from "./text.ts";

/** Returns a line about a report that was found, with what filters look at. */
export function describeMatch(match: Match): string {
  const facts = [
    `created ${day(match.created_at)}${creatorOf(match)}`,
    `updated ${day(match.updated_at)}`,
    match.visibility,
    ...(match.version_count === 1 ? [] : [`${match.version_count} versions`]),
    ...(match.folder === null ? [] : [`folder ${quoteTitle(match.folder)}`]),
    ...(match.tag_labels.length === 0 ? [] : [`tags ${match.tag_labels.map(quoteTitle).join(", ")}`]),
  ];
  return `${match.name ?? match.code}: ${quoteTitle(match.title)}, ${facts.join(", ")}, ${match.url}`;
}

/** Names the workspace too, unless it is the person's own, because tools that change reports need it. */
function creatorOf({ creator, owner }: Match): string {
  if (creator === null) return ` in ${owner}`;
  return creator.slug === owner ? ` by ${owner}` : ` by ${creator.slug} in ${owner}`;
}
