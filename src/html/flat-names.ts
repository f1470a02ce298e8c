import { splitExtension } from "./paths.ts";

export const INDEX = "index.html";
const USABLE = /^[A-Za-z0-9._-]+$/;

/**
 * Returns a name beside index.html for each path: `a/b.png` becomes `a-b.png`, or `a-b-2.png` if that name is in use.
 * `start` is the path that becomes index.html.
 */
export function chooseNames(paths: readonly string[], start = INDEX): Map<string, string> {
  const isKept = (path: string) => USABLE.test(path) && (path !== INDEX || start === INDEX);
  const chosen = new Map(paths.filter(isKept).map((path) => [path, path]));
  if (paths.includes(start)) chosen.set(start, INDEX);
  const taken = new Set(chosen.values());
  for (const path of paths.filter((path) => !chosen.has(path)).sort()) {
    const name = firstFree(plain(path), taken);
    taken.add(name);
    chosen.set(path, name);
  }
  return chosen;
}

const plain = (path: string): string =>
  path
    .normalize("NFKD")
    .replace(/\p{Mark}+/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/(?<=[A-Za-z0-9])-+(?=\.)|^-+(?=[A-Za-z0-9])/g, "")
    .replace(/^\.+/, "");

function firstFree(name: string, taken: ReadonlySet<string>): string {
  const { stem, extension } = splitExtension(name);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${stem}-${number}${extension}`;
    if (candidate !== "" && !taken.has(candidate)) return candidate;
  }
}
