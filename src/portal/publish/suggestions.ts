import { baseName, type DraftFile, INDEX } from "./draft-files.ts";

/** Longer names are cut after a word. */
const MAX_SUGGESTION = 48;
const MAX_NAME = 63;
const FALLBACK = "report";
const ALTERNATIVES = 9;

/** Returns the closest valid report name; undefined if nothing is left. */
export function suggestName(text: string, most = MAX_NAME): string | undefined {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{Mark}+/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  if (plain.length <= most) return plain === "" ? undefined : plain;
  const cut = plain.slice(0, most + 1);
  const end = cut.lastIndexOf("-");
  return cut.slice(0, end > most / 2 ? end : most).replace(/-+$/, "");
}

export interface Origin {
  /** The document's own title. */
  title: string | undefined;
  /** The page that opens first, under the name it was added with. */
  start: DraftFile | undefined;
  /** The folder or archive the files came from. */
  from: string | undefined;
}

/** Returns a name for a new report: from its title, else from its file, else from its folder. */
export function baseNameFor({ title, start, from }: Origin): string {
  const file = start === undefined || start.path === INDEX ? undefined : baseName(start.path).replace(/\.html?$/i, "");
  for (const text of [title, file, from]) {
    const name = text === undefined ? undefined : suggestName(text, MAX_SUGGESTION);
    if (name !== undefined && name !== "index") return name;
  }
  return FALLBACK;
}

/** Returns the names to try in turn; `isTaken` means that the name belongs to a report that the user can't see. */
export function candidatesFor(base: string, owner: string, isTaken: boolean): string[] {
  const numbers = Array.from({ length: ALTERNATIVES }, (_, index) => index + 2);
  const own = `${base}-${owner}`;
  const others = [own, ...numbers.map((number) => `${own}-${number}`)];
  const all = isTaken ? others : [base, ...numbers.map((number) => `${base}-${number}`), ...others];
  return all.map((name) => name.slice(-MAX_NAME).replace(/^-+/, ""));
}
