import { decodeHTML, decodeHTMLAttribute } from "entities";
import {
  after,
  attributeNameEnd,
  BANG,
  commentEnd,
  DASH,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  isLetter,
  QUESTION,
  rawTextEnd,
  SINGLE_QUOTE,
  SLASH,
  scriptEnd,
  skipSeparators,
  skipSpace,
  tagNameEnd,
  unquotedValueEnd,
} from "./lexing.ts";
import { srcsetUrls } from "./srcset.ts";
import { ADDRESSES, ATTRIBUTES, Attribute, ELEMENTS, type Element, OTHER_ELEMENT, type Role, TELLING } from "./tags.ts";

export type ScriptKind = "classic" | "module";

/** A URL in an attribute, with where in the document its attribute's value begins. */
export interface Reference {
  readonly url: string;
  readonly at: number;
}

/** What an element with a URL says about how it is to be loaded or opened. */
export interface Terms {
  /** Undefined for data, such as JSON. */
  readonly kind: ScriptKind | undefined;
  readonly isShared: boolean;
  readonly hasIntegrity: boolean;
  readonly target: string | undefined;
}

/** What `scanHtml` tells about a document, in the order of the text; `at` is a position in it. */
export interface HtmlVisitor {
  /** The first title element outside svg, as text on one line; it may be empty. */
  title(text: string): void;
  base(at: number, target: string | undefined): void;
  reference(reference: Reference): void;
  /** A reference that a reader follows. */
  link(reference: Reference, terms: Terms): void;
  /** The shape that an svg takes from somewhere. */
  shape(reference: Reference): void;
  /** A script that is loaded. */
  loadedScript(reference: Reference, terms: Terms): void;
  /** A stylesheet, an icon or whatever else a `link` element names. */
  linkedFile(reference: Reference, terms: Terms): void;
  /** The text of a style element, or of a style attribute: what is decoded stands elsewhere in the document. */
  style(css: string, at: number, isDecoded: boolean): void;
  /** An inline script that a browser would run. */
  script(source: string, kind: ScriptKind, at: number): void;
}

const JAVASCRIPT_TYPE =
  /^(?:(?:application|text)\/(?:x-)?(?:ecma|java)script|text\/(?:javascript1\.[0-5]|jscript|livescript))$/i;

/**
 * Reads a document once, in linear time, and tells the visitor what it refers to. Follows the HTML standard, 13.2.5
 * "Tokenization". What a browser does not render when scripts run (`noscript`, the content of `template`) is left out. No tree is
 * built, so an svg that is never closed hides a title after it.
 */
export function scanHtml(html: string, visitor: HtmlVisitor): void {
  new Scanner(html, visitor).run();
}

/** Methods that read take the position where their piece of the text begins, and return the one after it. */
class Scanner {
  private readonly html: string;
  private readonly visitor: HtmlVisitor;
  private templates = 0;
  private foreign = 0;
  private titled = false;

  /** Of the tag that is being read. */
  private wanted = 0;
  private selfClosing = false;
  private type = "";
  private target: string | undefined;
  /** A URL whose meaning depends on the attributes that come after it. */
  private address: Reference | undefined;
  private role: Role = undefined;

  constructor(html: string, visitor: HtmlVisitor) {
    this.html = html;
    this.visitor = visitor;
  }

  run(): void {
    const { html } = this;
    for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at)) at = this.markup(at + 1);
  }

  private markup(at: number): number {
    const code = this.html.charCodeAt(at);
    if (isLetter(code)) return this.startTag(at);
    if (code === SLASH) return this.endTag(at + 1);
    if (code === BANG) return this.declaration(at + 1);
    return code === QUESTION ? after(this.html, ">", at) : at;
  }

  private declaration(at: number): number {
    const { html } = this;
    if (html.charCodeAt(at) === DASH && html.charCodeAt(at + 1) === DASH) return commentEnd(html, at + 2);
    return after(html, this.foreign > 0 && html.startsWith("[CDATA[", at) ? "]]>" : ">", at);
  }

  private endTag(at: number): number {
    const { html } = this;
    if (!isLetter(html.charCodeAt(at))) return after(html, ">", at);
    const end = tagNameEnd(html, at);
    if (this.templates + this.foreign > 0) this.leave(at, end);
    if (html.charCodeAt(end) === GREATER) return end + 1;
    this.wanted = 0;
    return this.attributes(end);
  }

  private leave(at: number, end: number): void {
    const content = ELEMENTS.find(this.html, at, end)?.content;
    if (content === "template" && this.templates > 0) this.templates--;
    if (content === "foreign" && this.foreign > 0) this.foreign--;
  }

  private startTag(at: number): number {
    const { html } = this;
    const nameEnd = tagNameEnd(html, at);
    const element = ELEMENTS.find(html, at, nameEnd) ?? OTHER_ELEMENT;
    if (element === OTHER_ELEMENT && html.charCodeAt(nameEnd) === GREATER) return nameEnd + 1;
    this.wanted = this.templates > 0 ? 0 : element.takes;
    this.type = "";
    this.target = undefined;
    this.address = undefined;
    this.role = element.role;
    const end = this.attributes(nameEnd);
    if (this.address !== undefined) this.tellAddress(element.role, this.address);
    return element.content === "markup" ? end : this.content(element, end, at);
  }

  private tellAddress(role: Role, address: Reference): void {
    const terms: Terms = {
      kind: scriptKind(this.type),
      isShared: this.hasTaken(Attribute.crossOrigin),
      hasIntegrity: this.hasTaken(Attribute.integrity),
      target: this.target,
    };
    if (role === "link") this.visitor.link(address, terms);
    else if (role === "shape") this.visitor.shape(address);
    else if (role === "script") this.visitor.loadedScript(address, terms);
    else this.visitor.linkedFile(address, terms);
  }

  private attributes(from: number): number {
    const { html } = this;
    let at = from;
    while (at < html.length) {
      const start = skipSeparators(html, at);
      if (html.charCodeAt(start) === GREATER) {
        this.selfClosing = start > at && html.charCodeAt(start - 1) === SLASH;
        return start + 1;
      }
      at = this.attribute(start);
    }
    return at;
  }

  private attribute(start: number): number {
    const { html } = this;
    const end = attributeNameEnd(html, start);
    const bit = this.wanted === 0 ? 0 : this.wanted & (ATTRIBUTES.find(html, start, end)?.bit ?? 0);
    // Of two attributes with the same name the first counts.
    this.wanted &= ~bit;
    const equals = skipSpace(html, end);
    return html.charCodeAt(equals) === EQUALS ? this.value(skipSpace(html, equals + 1), bit) : equals;
  }

  private value(at: number, bit: number): number {
    const { html } = this;
    const quote = html.charCodeAt(at);
    const isQuoted = quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE;
    const start = isQuoted ? at + 1 : at;
    const end = isQuoted ? html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", start) : unquotedValueEnd(html, start);
    if (end === -1) return html.length;
    if (bit !== 0) this.take(bit, html.slice(start, end), start);
    return isQuoted ? end + 1 : end;
  }

  private take(bit: number, encoded: string, at: number): void {
    const value = decodeHTMLAttribute(encoded);
    if (bit === Attribute.style) this.styleAttribute(value, at);
    else if (bit === Attribute.srcset || bit === Attribute.imagesrcset) this.candidates(value, at);
    else if (bit === Attribute.type) this.type = value;
    else if (bit === Attribute.target) this.target = value;
    else if ((bit & TELLING) === 0) this.takeAddress(bit, { url: value, at });
  }

  private takeAddress(bit: number, reference: Reference): void {
    if (this.role === undefined || (bit & ADDRESSES) === 0) this.visitor.reference(reference);
    else this.address ??= reference;
  }

  private hasTaken(bit: number): boolean {
    return (this.wanted & bit) === 0;
  }

  private styleAttribute(css: string, at: number): void {
    if (css.includes("(")) this.visitor.style(css, at, true);
  }

  private candidates(srcset: string, at: number): void {
    for (const url of srcsetUrls(srcset)) this.visitor.reference({ url, at });
  }

  private content(element: Element, at: number, tagAt: number): number {
    // "/>" closes svg, math and what is inside them; elsewhere it means nothing.
    if (this.selfClosing && (this.foreign > 0 || element.content === "foreign")) return at;
    switch (element.content) {
      case "title":
        return this.title(at);
      case "style":
        return this.styleText(at);
      case "script":
        return this.script(at);
      case "text":
        return rawTextEnd(this.html, element.name, at);
      case "rest":
        return this.html.length;
      default:
        this.enter(element, tagAt);
        return at;
    }
  }

  private enter({ content }: Element, tagAt: number): void {
    if (content === "foreign") this.foreign++;
    if (content === "template" && (this.templates > 0 || !this.hasTaken(Attribute.shadowRoot))) this.templates++;
    if (content === "base" && this.templates + this.foreign === 0) this.visitor.base(tagAt, this.target);
  }

  private title(at: number): number {
    if (this.foreign > 0) return at;
    const end = rawTextEnd(this.html, "title", at);
    if (this.titled || this.templates > 0) return end;
    this.titled = true;
    this.visitor.title(oneLine(decodeHTML(this.html.slice(at, end))));
    return end;
  }

  private styleText(at: number): number {
    const end = rawTextEnd(this.html, "style", at);
    if (this.templates === 0) this.visitor.style(this.html.slice(at, end), at, false);
    return end;
  }

  private script(at: number): number {
    const end = scriptEnd(this.html, at);
    const kind = this.templates > 0 || this.hasTaken(Attribute.src) ? undefined : scriptKind(this.type);
    // A script that is never closed is not run.
    if (kind !== undefined && end < this.html.length) this.visitor.script(this.html.slice(at, end), kind, at);
    return end;
  }
}

/** The text as `document.title` would have it, HTML standard 3.1.5, but also without no-break spaces. */
function oneLine(text: string): string {
  return text.replaceAll("\0", "\uFFFD").replace(/\s+/g, " ").trim();
}

/** HTML standard, 4.12.1.1 "prepare the script element"; anything else, JSON and import maps say, is data. */
function scriptKind(type: string): ScriptKind | undefined {
  const essence = type.trim();
  if (essence === "" || JAVASCRIPT_TYPE.test(essence)) return "classic";
  return essence.toLowerCase() === "module" ? "module" : undefined;
}
