import { INDEX } from "./flat-names.ts";
import { type Adapt, rewriteCss, rewriteHtml } from "./flatten.ts";
import { NameTable } from "./names.ts";
import { directoryOf, relativePath, resolvePath } from "./paths.ts";
import { readHtml } from "./tokens.ts";

/** A file that may contain references, with its references adapted. */
export interface AdaptedText {
  text: string;
  /** Number of references that changed. */
  changed: number;
  /** Renamed files that a script in it mentions: addresses in scripts can't be rewritten reliably. */
  mentions: readonly { old: string; name: string }[];
}

/** Returns whether a file of this name can refer to others in a way that `adaptText` knows. */
export const mayRefer = (path: string): boolean => kindOf(path) !== undefined;

const kindOf = (path: string): string | undefined => /\.(html?|xhtml|svg|css|m?js)$/i.exec(path)?.[1]?.toLowerCase();

/** Returns a file with the new names of the files it refers to. */
export function adaptText(path: string, text: string, names: ReadonlyMap<string, string>): AdaptedText {
  const kind = kindOf(path);
  if (kind === undefined) return { text, changed: 0, mentions: [] };
  let changed = 0;
  const adapt: Adapt = (reference) => {
    const adapted = adaptReference(reference, path, names);
    if (adapted !== reference) changed++;
    return adapted;
  };
  const result = kind.endsWith("js") ? text : kind === "css" ? rewriteCss(text, adapt) : rewriteHtml(text, adapt);
  return { text: result, changed, mentions: kind === "css" ? [] : findMentions(path, scriptsIn(result, kind), names) };
}

/** Returns the scripts of a file, because what else a page quotes is no address. */
function scriptsIn(text: string, kind: string): string {
  if (kind.endsWith("js")) return text;
  const scripts: string[] = [];
  let start: number | undefined;
  readHtml(text, {
    elements: SCRIPT,
    attributes: HANDLERS,
    startTag({ name, end, attributes, isClosed }) {
      for (const [, value] of attributes) scripts.push(value.text);
      if (name === "script" && !isClosed) start = end;
    },
    endTag(name, at) {
      if (name !== "script" || start === undefined) return;
      scripts.push(text.slice(start, at));
      start = undefined;
    },
  });
  return scripts.join("\n");
}

const SCRIPT = new NameTable(["script"]);
/** The event handlers that tools write into pages. */
const HANDLERS = new NameTable(["onclick", "onload", "onerror", "onchange", "onmouseover", "onmouseout"]);
/** What a script contains that finds out the picture behind an element. */
const COMPUTED_STYLE = [/getComputedStyle/, /background-?image/i];
const PICTURE = /\.(?:png|jpe?g|gif|svg|webp|ico)$/i;

function findMentions(from: string, text: string, names: ReadonlyMap<string, string>) {
  // Scripts fetch relative to the page, and import relative to themselves. What they compare the end of an address with
  // stays the same: [href$="a.css"], "a.css".length.
  const isQuoted = (path: string) =>
    new RegExp(`(?<!\\[[\\w-]+[$*]=)["'\`](?:\\./)?${escapePattern(path)}["'\`?#](?!\\.length\\b)`).test(text);
  // Libraries join the name of an icon to a directory that they find out. Where they read it from their stylesheet, as
  // Leaflet does, it is right: the stylesheet has the new addresses, which end with the old names.
  const readsStyle = COMPUTED_STYLE.every((word) => word.test(text));
  const isIcon = (old: string) => !readsStyle && PICTURE.test(old) && isQuoted(old.slice(old.lastIndexOf("/") + 1));
  const isMentioned = (old: string) => isQuoted(old) || isQuoted(relativePath(directoryOf(from), old)) || isIcon(old);
  return [...names].filter(([old, name]) => old !== name && isMentioned(old)).map(([old, name]) => ({ old, name }));
}

/** Not every browser has `RegExp.escape`. */
const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

const SCHEME_OR_ROOT = /^(?:[a-z][a-z0-9+.-]*:|\/)/i;

/** Returns the path that a reference in a file means, and what follows it; undefined if it leads elsewhere. */
export function targetOf(reference: string, from: string): { target: string; path: string; rest: string } | undefined {
  const trimmed = reference.trim();
  const [path = ""] = trimmed.split(/[?#]/, 1);
  if (path === "" || SCHEME_OR_ROOT.test(trimmed)) return undefined;
  return { target: resolvePath(from, decode(path)), path, rest: trimmed.slice(path.length) };
}

function adaptReference(reference: string, from: string, names: ReadonlyMap<string, string>): string {
  const found = targetOf(reference, from);
  if (found === undefined) return reference;
  const { target, path, rest } = found;
  const name = names.get(target) ?? names.get(target === "" ? INDEX : `${target}/${INDEX}`);
  return name === undefined || name === path.replace(/^(?:\.\/)+/, "") ? reference : name + rest;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
