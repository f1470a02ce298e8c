import { lookup } from "mrmime";
import { type PreviewFile, type PreviewMessage, previewReference } from "../../../client/definitions.ts";
import { type Adapt, rewriteCss, rewriteHtml } from "../../../html/flatten.ts";
import { targetOf } from "../../../html/flattening.ts";
import { insertionPoint } from "../../../html/insertion-point.ts";
import { STAND_IN_SCRIPT } from "../../../html/stand-in-script.ts";
import { decodeText } from "../decode-text.ts";
import { type DraftFile, INDEX, isHtml } from "../draft-files.ts";

/** A report as the preview page takes it. */
export interface Preview extends PreviewMessage {
  /** Files that pages refer to and that aren't there. */
  missing: readonly string[];
}

interface Options {
  start: DraftFile;
  /** Whether the pages get a stand-in for browser storage, as they will when published. */
  hasStorage: boolean;
}

/** Elements whose reference is followed only when the reader chooses to. */
const LINKS: ReadonlySet<string> = new Set(["a", "area", "form", "button", "input"]);
/** Larger documents without other files are shown as they are: reading them would delay the page. */
const MAX_READ = 4 * 1024 * 1024;
/** A quoted relative module, as in `from "./x.js"` and `import("./x.js")`. */
const IMPORTS = /(\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.{1,2}\/[^"'\n]+)\2/g;

/** Prepares a report for the preview page: references to other files become marks that the page replaces. */
export async function buildPreview(files: readonly DraftFile[], { start, hasStorage }: Options): Promise<Preview> {
  const positions = new Map(files.map(({ path }, position) => [path, position]));
  const missing = new Set<string>();
  const prepared: PreviewFile[] = [];
  for (const file of files) {
    const text = await textOf(file, files.length === 1);
    const content = text === undefined ? file.source : markReferences({ file, text, positions, missing });
    const type = typeOf(file);
    prepared.push({
      path: file.path,
      type,
      content: typeof content === "string" && isHtml(file) && hasStorage ? withStorage(content) : content,
    });
  }
  return { files: prepared, start: Math.max(files.indexOf(start), 0), missing: [...missing] };
}

const typeOf = ({ path }: DraftFile): string =>
  isHtml({ path }) ? "text/html" : (lookup(path) ?? "application/octet-stream");

/** Returns a page's text in any case, and that of other files that may refer to some. */
async function textOf(file: DraftFile, isAlone: boolean): Promise<string | undefined> {
  if (isHtml(file)) return file.source.text();
  return !isAlone && /\.(?:svg|xhtml|css|m?js)$/i.test(file.path) ? decodeText(file.source) : undefined;
}

interface Marking {
  file: DraftFile;
  text: string;
  positions: ReadonlyMap<string, number>;
  missing: Set<string>;
}

function markReferences({ file, text, positions, missing }: Marking): string {
  const isAlone = positions.size === 1;
  if (isAlone && text.length > MAX_READ) return text;
  const adapt: Adapt = (reference, element) => {
    const found = targetOf(reference, file.path);
    if (found === undefined) return reference;
    const { target, rest } = found;
    const isLink = element !== undefined && LINKS.has(element);
    const position = positions.get(target) ?? positions.get(target === "" ? INDEX : `${target}/${INDEX}`);
    if (position === undefined) {
      if (!isLink && isHtml(file)) missing.add(target);
      return reference;
    }
    // The preview page follows links to pages itself.
    if (isLink && isHtml({ path: target })) return reference;
    return previewReference(position) + rest.replace(/^\?[^#]*/, "");
  };
  if (/\.m?js$/i.test(file.path)) {
    return text.replace(IMPORTS, (_, before, quote, reference) => `${before}${quote}${adapt(reference)}${quote}`);
  }
  return /\.css$/i.test(file.path) ? rewriteCss(text, adapt) : rewriteHtml(text, adapt);
}

function withStorage(html: string): string {
  const point = insertionPoint(html);
  return html.slice(0, point) + STAND_IN_SCRIPT + html.slice(point);
}
