import { governs } from "../../domain/model/access.ts";
import { creatorTerm, folderTerm, sharedTerm, tagTerm, visibilityTerm } from "../engine/postings/terms.ts";
import type { RequestedSearch } from "./matching.ts";

/** What the index knows of a condition: an item has all pieces of text, or one of the places, or is one of the ids. */
export interface Requirement {
  text: readonly number[];
  places: readonly number[];
  ids: readonly number[];
  /** The pieces of a word that is too short to list all codes with it, but may be in one. */
  codeGrams?: readonly number[];
}

const atPlaces = (places: readonly number[]): Requirement => ({ text: [], places, ids: [] });

/** Returns what the index knows of a search. Every match meets all requirements. */
export function requirementsOf({ search, words, places, authorIds }: RequestedSearch): Requirement[] {
  const { workspaceId, visibility, reader } = search;
  const folder = (id: string) => folderTerm(workspaceId, id);
  const tag = (id: string) => tagTerm(workspaceId, id);
  const requirements = places.tagIds.map((ids) => atPlaces(ids.map(tag)));
  if (places.folderIds) requirements.push(atPlaces(places.folderIds.map(folder)));
  if (visibility !== undefined) requirements.push(atPlaces([visibilityTerm(workspaceId, visibility)]));
  // Among them are reports of which they have only published the current version.
  if (authorIds !== undefined) requirements.push(atPlaces(authorIds.map((id) => creatorTerm(workspaceId, id))));
  if (!governs(reader)) {
    requirements.push(atPlaces([sharedTerm(workspaceId), creatorTerm(workspaceId, reader.userId)]));
  }
  for (const { grams, folderIds, tagIds, codeItemIds } of words) {
    if (grams.length === 0) continue;
    const titled = [...folderIds.map(folder), ...tagIds.map(tag)];
    const inCodes = codeItemIds === undefined ? { ids: [], codeGrams: grams } : { ids: codeItemIds };
    requirements.push({ text: grams, places: titled, ...inCodes });
  }
  return requirements;
}
