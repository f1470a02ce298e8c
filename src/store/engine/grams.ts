import { foldText, gramKey, gramsOf } from "../../domain/search/search-text.ts";

/** Returns pieces of text as the index stores them: numbers specific to the workspace, separated by spaces. */
const asList = (workspaceId: string, grams: readonly string[]): string =>
  grams.map((gram) => gramKey(workspaceId, gram)).join(" ");

/** Returns all pieces of a folded text in the form in which the index stores them. */
export const gramList = (workspaceId: string, text: string): string => asList(workspaceId, gramsOf(text));

/** Returns all pieces of a code in the form in which the index stores them. */
export const gramsOfCode = (workspaceId: string, code: string): string => gramList(workspaceId, foldText(code));
