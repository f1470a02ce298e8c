/** Bytes at the start of a document searched for its title. */
const LOOKED_AT = 256 * 1024;

/** Returns a document's own title; undefined without one near its start. */
export async function readTitle(document: Blob): Promise<string | undefined> {
  const text = await document.slice(0, LOOKED_AT).text();
  const [, title] = /<title(?:\s[^>]*)?>([\s\S]*?)<\/title/i.exec(text.replace(/<!--[\s\S]*?-->/g, "")) ?? [];
  if (title === undefined) return undefined;
  // Only the element, so that nothing in it loads or is blocked.
  const parsed = new DOMParser().parseFromString(`<title>${title}</title>`, "text/html").title;
  return parsed === "" ? undefined : parsed;
}
