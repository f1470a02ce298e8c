/** Bytes at the beginning of a document in which its title is looked for. */
const LOOKED_AT = 256 * 1024;

/** The title that a document gives itself; undefined when it has none, or none near its beginning. */
export async function readTitle(document: Blob): Promise<string | undefined> {
  const text = await document.slice(0, LOOKED_AT).text();
  const [, title] = /<title(?:\s[^>]*)?>([\s\S]*?)<\/title/i.exec(text.replace(/<!--[\s\S]*?-->/g, "")) ?? [];
  if (title === undefined) return undefined;
  // The element and nothing else, so that there is nothing in it to load or to refuse.
  const parsed = new DOMParser().parseFromString(`<title>${title}</title>`, "text/html").title;
  return parsed === "" ? undefined : parsed;
}
