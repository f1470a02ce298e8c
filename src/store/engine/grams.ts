import { foldText, gramKey, gramsOf } from "../../domain/search/search-text.ts";

/** Pieces as the index takes them: the numbers of one workspace, separated by spaces. */
const asList = (workspaceId: string, grams: readonly string[]): string =>
  grams.map((gram) => gramKey(workspaceId, gram)).join(" ");

/** All pieces of a folded text. */
export const gramList = (workspaceId: string, text: string): string => asList(workspaceId, gramsOf(text));

export const gramsOfCode = (workspaceId: string, code: string): string => gramList(workspaceId, foldText(code));
