import { decodeHTMLAttribute } from "entities";
import { type Adapt, rewriteCss } from "./flatten-css.ts";

/** Attributes that hold one reference. */
const REFERENCES = new Set(["href", "src", "poster", "data", "action", "formaction", "xlink:href", "background"]);
/** Attributes that hold several, each with a description. */
const CANDIDATES = new Set(["srcset", "imagesrcset"]);

/** Adapts the references of a document, those of its styles included, and changes nothing else. */
export function rewriteHtml(html: string, adapt: Adapt): string {
  let style = "";
  return new HTMLRewriter()
    .on("*", {
      element(element) {
        for (const [name = "", value = ""] of [...element.attributes]) {
          const old = decodeHTMLAttribute(value);
          const adapted = adaptAttribute(name.toLowerCase(), old, adapt);
          if (adapted !== old) element.setAttribute(name, adapted.replaceAll("&", "&amp;"));
        }
      },
    })
    .on("style", {
      text(chunk) {
        style += chunk.text;
        if (!chunk.lastInTextNode) return void chunk.remove();
        chunk.replace(rewriteCss(style, adapt), { html: true });
        style = "";
      },
    })
    .transform(html);
}

function adaptAttribute(name: string, value: string, adapt: Adapt): string {
  if (REFERENCES.has(name)) return adapt(value);
  if (CANDIDATES.has(name)) return adaptCandidates(value, adapt);
  if (name === "style") return rewriteCss(value, adapt);
  return value;
}

/** `a.png 1x, b.png 2x`: addresses hold no blanks, and may hold commas but for their ends. */
const adaptCandidates = (value: string, adapt: Adapt): string =>
  value.replace(
    /(^|,)(\s*)([^\s,](?:\S*[^\s,])?)/g,
    (_, comma: string, blank: string, url: string) => comma + blank + adapt(url),
  );
