import type { Visibility } from "../../../domain/model/entities.ts";
import { gramKey, gramsOf } from "../../../domain/search/search-text.ts";

/** What the search index knows of an item besides its text. */
export interface ItemPlaces {
  folderId: string | null;
  tagIds: readonly string[];
  visibility: Visibility;
  currentVisibility: Visibility;
  creatorId: string;
  currentCreatorId: string;
}

/**
 * Terms are numbers that include the workspace. Those of pieces of text are 0 or more, those of places are negative.
 * Different terms can share a number, so searches check the rows that they find.
 */
export const textTerm = (workspaceId: string, gram: string): number => gramKey(workspaceId, gram);

export const textTerms = (workspaceId: string, text: string): number[] =>
  gramsOf(text).map((gram) => textTerm(workspaceId, gram));

const placeTerm = (workspaceId: string, place: string): number => -1 - gramKey(workspaceId, place);

export const folderTerm = (workspaceId: string, id: string) => placeTerm(workspaceId, `folder ${id}`);
export const tagTerm = (workspaceId: string, id: string) => placeTerm(workspaceId, `tag ${id}`);
export const visibilityTerm = (workspaceId: string, visibility: Visibility) => placeTerm(workspaceId, visibility);
/** The term of items that all members may read. */
export const sharedTerm = (workspaceId: string) => placeTerm(workspaceId, "shared");
/** The term of items whose report or current version a user has made. */
export const creatorTerm = (workspaceId: string, userId: string) => placeTerm(workspaceId, `by ${userId}`);

export function placeTerms(workspaceId: string, places: ItemPlaces): number[] {
  const { folderId, tagIds, visibility, currentVisibility, creatorId, currentCreatorId } = places;
  const isShared = visibility !== "private" && currentVisibility !== "private";
  return [
    ...(folderId === null ? [] : [folderTerm(workspaceId, folderId)]),
    ...tagIds.map((id) => tagTerm(workspaceId, id)),
    visibilityTerm(workspaceId, visibility),
    ...(isShared ? [sharedTerm(workspaceId)] : []),
    ...[...new Set([creatorId, currentCreatorId])].map((id) => creatorTerm(workspaceId, id)),
  ];
}
