import { findCssReferences } from "./css.ts";
import { NameTable } from "./names.ts";
import { srcsetUrls } from "./srcset.ts";
import { type Attribute, readHtml } from "./tokens.ts";

/**
 * Returns the new form of a reference, or the same one to leave it unchanged. `element` is the one with the attribute that
 * holds the reference; undefined in styles.
 */
export type Adapt = (reference: string, element?: string) => string;

interface Edit {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/** Attributes that hold one reference. */
const REFERENCES = new Set(["href", "src", "poster", "data", "action", "formaction", "xlink:href", "background"]);
/** Attributes that hold several references, each with a descriptor. */
const CANDIDATES = new Set(["srcset", "imagesrcset"]);
const ATTRIBUTES = new NameTable([...REFERENCES, ...CANDIDATES, "style"]);

/** Returns the document with adapted references, also in its styles, and everything else unchanged. */
export function rewriteHtml(html: string, adapt: Adapt): string {
  const edits: Edit[] = [];
  let styleAt: number | undefined;
  readHtml(html, {
    attributes: ATTRIBUTES,
    startTag({ name, end, attributes, isClosed }) {
      for (const [attribute, value] of attributes) {
        const text = adaptValue(attribute, value.text, (reference) => adapt(reference, name));
        if (text !== value.text) edits.push(valueEdit(value, text));
      }
      if (name === "style" && !isClosed) styleAt = end;
    },
    endTag(name, at) {
      if (name !== "style" || styleAt === undefined) return;
      const css = html.slice(styleAt, at);
      const text = rewriteCss(css, adapt);
      if (text !== css) edits.push({ at: styleAt, end: at, text });
      styleAt = undefined;
    },
  });
  return applyEdits(html, edits);
}

/** Returns the stylesheet with adapted references and everything else unchanged. */
export function rewriteCss(css: string, adapt: Adapt): string {
  const edits: Edit[] = [];
  findCssReferences(css, ({ url, at, end, write }) => {
    const adapted = adapt(url);
    if (adapted !== url) edits.push({ at, end, text: write(adapted) });
  });
  return applyEdits(css, edits);
}

function adaptValue(attribute: string, value: string, adapt: Adapt): string {
  if (REFERENCES.has(attribute)) return adapt(value);
  return attribute === "style" ? rewriteCss(value, adapt) : adaptCandidates(value, adapt);
}

function adaptCandidates(srcset: string, adapt: Adapt): string {
  const edits = Array.from(srcsetUrls(srcset), ({ url, at }) => ({ at, end: at + url.length, text: adapt(url) }));
  return applyEdits(srcset, edits);
}

function valueEdit({ at, end, isQuoted }: Attribute, value: string): Edit {
  const text = value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
  return { at, end, text: isQuoted ? text : `"${text}"` };
}

/** The edits are in ascending order and do not overlap. */
function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const edit of edits) {
    pieces.push(text.slice(from, edit.at), edit.text);
    from = edit.end;
  }
  return pieces.join("") + text.slice(from);
}
