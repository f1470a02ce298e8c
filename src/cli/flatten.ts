import { posix } from "node:path";
import { type Adapt, rewriteCss, rewriteHtml } from "../html/flatten.ts";
import type { SourceFile } from "./report-files.ts";
import { counted } from "./text.ts";
import { asText } from "./upload-body.ts";

export interface Flattened {
  files: SourceFile[];
  /** One line for each change, and for each reference that needs a change by hand. */
  notes: string[];
}

/** Gives all files names beside index.html, and updates the references to them in HTML and CSS. */
export async function flatten(files: readonly SourceFile[]): Promise<Flattened> {
  const names = chooseNames(files.map(({ name }) => name));
  const notes = [...names].filter(([old, name]) => old !== name).map(([old, name]) => `${old} is published as ${name}`);
  const flat = await Promise.all(files.map((file) => adaptFile(file, names, notes)));
  return { files: flat, notes };
}

/** Returns a name for each path: `a/b.png` becomes `a-b.png`, or `a-b-2.png` if that name is in use. */
export function chooseNames(paths: readonly string[]): Map<string, string> {
  const isPlain = (path: string) => /^[A-Za-z0-9._-]+$/.test(path);
  const chosen = new Map(paths.filter(isPlain).map((path) => [path, path]));
  const taken = new Set(chosen.values());
  for (const path of paths.filter((path) => !isPlain(path)).sort()) {
    const name = firstFree(
      path
        .normalize("NFKD")
        .replace(/[^A-Za-z0-9._-]+/g, "-")
        .replace(/^\.+/, ""),
      taken,
    );
    taken.add(name);
    chosen.set(path, name);
  }
  return chosen;
}

function firstFree(name: string, taken: ReadonlySet<string>): string {
  const { name: stem, ext } = posix.parse(name);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${stem}-${number}${ext}`;
    if (!taken.has(candidate)) return candidate;
  }
}

async function adaptFile(file: SourceFile, names: ReadonlyMap<string, string>, notes: string[]): Promise<SourceFile> {
  const name = names.get(file.name) ?? file.name;
  const kind = /\.(html?|xhtml|svg|css|m?js)$/i.exec(file.name)?.[1]?.toLowerCase();
  const text = kind === undefined ? undefined : asText(file.bytes);
  if (kind === undefined || text === undefined) {
    if (kind !== undefined) notes.push(`${file.name} is not UTF-8, so its references were not changed`);
    return { name, bytes: file.bytes };
  }
  let changed = 0;
  const adapt: Adapt = (reference) => {
    const adapted = adaptReference(reference, file.name, names);
    if (adapted !== reference) changed++;
    return adapted;
  };
  const result = kind.endsWith("js") ? text : kind === "css" ? rewriteCss(text, adapt) : rewriteHtml(text, adapt);
  if (changed > 0) notes.push(`${file.name}: updated ${counted(changed, "reference")}`);
  if (kind !== "css") notes.push(...findMentions(file.name, result, names));
  return { name, bytes: changed > 0 ? new TextEncoder().encode(result) : file.bytes };
}

/** Returns a note for each renamed file that a script mentions: addresses in scripts can't be rewritten reliably. */
function findMentions(name: string, text: string, names: ReadonlyMap<string, string>): string[] {
  // Scripts fetch relative to the page, and import relative to themselves.
  const isQuoted = (path: string) => new RegExp(`["'\`](?:\\./)?${RegExp.escape(path)}["'\`?#]`).test(text);
  const quoted = ([old, chosen]: [string, string]) =>
    old !== chosen && (isQuoted(old) || isQuoted(posix.relative(posix.dirname(name), old)));
  const isMentioned = [...names].filter(quoted);
  return isMentioned.map(([old, chosen]) => `${name}: change "${old}" to "${chosen}" in the script`);
}

const SCHEME_OR_ROOT = /^(?:[a-z][a-z0-9+.-]*:|\/)/i;

function adaptReference(reference: string, from: string, names: ReadonlyMap<string, string>): string {
  const trimmed = reference.trim();
  const [path = ""] = trimmed.split(/[?#]/, 1);
  if (path === "" || SCHEME_OR_ROOT.test(trimmed)) return reference;
  const target = posix.join(posix.dirname(from), decode(path));
  const name = names.get(target) ?? names.get(posix.join(target, "index.html"));
  return name === undefined || name === path.replace(/^(?:\.\/)+/, "") ? reference : name + trimmed.slice(path.length);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
