import { parseLivePath } from "./definitions.ts";

/** A guest link where a report is asked for. Its report can only be read in a browser. */
export class GuestLinkError extends Error {
  override readonly name = "GuestLinkError";

  constructor() {
    super(
      "A guest link only opens in a browser. Use the report's name or code. If you have no access, ask the sender to share the report with you.",
    );
  }
}

/** What a text names: a report's name or a version's code, and the number of `name@2`. */
export interface ParsedReference {
  word: string;
  versionNo: number | undefined;
}

/** Parts of a live link that follow its name are shorter than secrets. */
const SHORTER_THAN_SECRET = 20;
const NUMBERED = /^(.+)@(\d{1,9})$/;

/** Parses a name, a code, a link to either, or any of them with a version number. Throws `GuestLinkError`. */
export function parseReferenceText(text: string): ParsedReference {
  const [, base = text, number] = NUMBERED.exec(text) ?? [];
  return { word: wordOfLink(base) ?? base, versionNo: number === undefined ? undefined : Number(number) };
}

function wordOfLink(text: string): string | undefined {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const { pathname } = new URL(text);
  const [first = "", ...others] = pathname.split("/").filter((part) => part !== "");
  if (first === "s" && others[0] !== undefined && others[0].length > SHORTER_THAN_SECRET) throw new GuestLinkError();
  if (first === "-") return others[0] === "r" ? decodeURIComponent(others[1] ?? "") : undefined;
  // Paths of frames and cards begin with a part that is no report.
  const parts = [first, ...others].filter((part) => !/^[~@]/.test(part));
  return parseLivePath(pathname)?.name ?? parts[0]?.replace(/\.png$/, "");
}
