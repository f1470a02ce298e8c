import { analyse } from "../../../src/html/warnings/analyse.ts";

/** The files beside index.html, by path. */
export type Assets = Record<string, string | undefined>;

export function warningsOf(html: string, assets: Assets = {}): string[] {
  return analyse(new Map(Object.entries({ "index.html": html, ...assets }))).warnings;
}

/** Returns the warning about a file that the upload lacks. */
export function missing(reference: string, file = "index.html", line = 1): string {
  return `${file} line ${line}: "${reference}" isn't in the upload. Add the file or remove the reference.`;
}
