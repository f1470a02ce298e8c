import { loadPart } from "../shared/missing-part.ts";

/** Bytes at the start of a document searched for its title. */
const LOOKED_AT = 256 * 1024;

/** Returns a document's own title; undefined without one near its start. */
export async function titleOfDocument(document: Blob): Promise<string | undefined> {
  const { readTitle } = await loadPart(import("../../html/title.ts"));
  return readTitle(await document.slice(0, LOOKED_AT).text());
}
