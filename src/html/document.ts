import { decodeHTML } from "entities";
import type { Budget } from "./budget.ts";
import { NameTable } from "./names.ts";
import { type Attribute, FOREIGN_ELEMENTS, type HtmlVisitor, readHtml, type StartTag } from "./tokens.ts";

export type ScriptKind = "classic" | "module";

/** What an element does in a page. */
export type Role = "link" | "shape" | "script" | "file" | "image" | "frame" | "form" | "button" | "base" | "other";

/** An element with its attributes that matter. */
export interface FoundElement {
  readonly role: Role;
  readonly name: string;
  readonly at: number;
  readonly attributes: ReadonlyMap<string, Attribute>;
}

/** Receives what a browser would load or run from a document, in the order of the text. */
export interface DocumentVisitor {
  /** The first title element outside SVG, as text on one line; it may be empty. */
  title(text: string): void;
  /** An element that has a role or an attribute that matters. */
  element(element: FoundElement): void;
  formEnd(): void;
  /** The text of a style element. */
  style(css: string, at: number): void;
  /** An inline script that a browser would run. */
  script(source: string, kind: ScriptKind, at: number): void;
  /** The script in an attribute such as `onclick`. */
  handler(source: string, at: number): void;
}

interface KnownElement {
  readonly role: Role;
  readonly attributes: ReadonlySet<string>;
}

const known = (role: Role, ...attributes: string[]): KnownElement => ({ role, attributes: new Set(attributes) });
const OTHER = known("other");
const LINK = known("link", "href", "target", "download");
const IMAGE_LINK = known("other", "href");
const BUTTON = known("button", "type");

const ELEMENTS: ReadonlyMap<string, KnownElement> = new Map([
  ["a", LINK],
  ["area", LINK],
  ["image", IMAGE_LINK],
  ["feimage", IMAGE_LINK],
  ["img", known("image", "srcset", "crossorigin", "id")],
  ["source", known("other", "srcset")],
  ["iframe", known("frame", "srcdoc")],
  ["frame", known("frame")],
  ["object", known("frame", "data")],
  ["use", known("shape", "href")],
  ["link", known("file", "href", "imagesrcset", "crossorigin", "integrity", "rel")],
  ["form", known("form", "action", "method", "onsubmit")],
  ["button", BUTTON],
  ["input", BUTTON],
  ["script", known("script", "type", "crossorigin", "integrity")],
  ["base", known("base", "target")],
  ["template", known("other", "shadowrootmode")],
]);

/** Attributes that matter on every element. */
const ANYWHERE: ReadonlySet<string> = new Set(["src", "poster", "xlink:href", "style"]);
const HANDLER = /^on[a-z]/;
const ELEMENT_NAMES = new NameTable([...ELEMENTS.keys(), "noscript", "title", "style", ...FOREIGN_ELEMENTS]);
const ATTRIBUTE_NAMES = new NameTable(
  new Set([...ANYWHERE, ...[...ELEMENTS.values()].flatMap(({ attributes }) => [...attributes])]),
  "on",
);
const JAVASCRIPT_TYPE =
  /^(?:(?:application|text)\/(?:x-)?(?:ecma|java)script|text\/(?:javascript1\.[0-5]|jscript|livescript))$/i;

/**
 * Reads a document in linear time. Omits what a browser does not render when scripts run: `noscript` and the content of
 * `template`. Builds no tree, so an svg element without an end tag hides a title after it. Throws `OverBudget`.
 */
export function readDocument(html: string, visitor: DocumentVisitor, budget: Budget): void {
  const reader = new DocumentReader(html, visitor);
  readHtml(html, reader, budget);
  reader.end();
}

class DocumentReader implements HtmlVisitor {
  readonly elements = ELEMENT_NAMES;
  readonly attributes = ATTRIBUTE_NAMES;
  private readonly html: string;
  private readonly visitor: DocumentVisitor;
  private templates = 0;
  private isInNoscript = false;
  private hasTitle = false;
  private hasHandler = false;
  /** The open title, script or style element. */
  private textElement: StartTag | undefined;
  /** The end of a script that seems to end before: see `escapedScriptEnd`. */
  private scriptEnd = 0;

  constructor(html: string, visitor: DocumentVisitor) {
    this.html = html;
    this.visitor = visitor;
  }

  wantsAttribute(name: string, element: string): boolean {
    if (ELEMENTS.get(element)?.attributes.has(name) || ANYWHERE.has(name)) return true;
    const isHandler = HANDLER.test(name);
    this.hasHandler ||= isHandler;
    return isHandler;
  }

  startTag(tag: StartTag): void {
    if (this.isInNoscript || tag.at < this.scriptEnd) return;
    const { name, attributes, isForeign, isClosed } = tag;
    if (name === "noscript") this.isInNoscript = true;
    if (this.templates === 0) this.tell(tag);
    if (name === "template" && (this.templates > 0 || !attributes.has("shadowrootmode"))) this.templates++;
    const isTitle = name === "title" && !isForeign;
    if (!isClosed && (isTitle || name === "script" || name === "style")) this.textElement = tag;
  }

  endTag(name: string, at: number): void {
    if (at < this.scriptEnd) return;
    if (this.isInNoscript) this.isInNoscript = name !== "noscript";
    else if (name === this.textElement?.name) this.endText(this.textElement, at);
    else if (name === "template" && this.templates > 0) this.templates--;
    else if (name === "form") this.visitor.formEnd();
  }

  /** A script without an end tag does not run. */
  end(): void {
    if (this.textElement !== undefined && this.textElement.name !== "script")
      this.endText(this.textElement, this.html.length);
  }

  private tell({ name, at, attributes, isForeign }: StartTag): void {
    const { role, attributes: own } = ELEMENTS.get(name) ?? OTHER;
    if (this.hasHandler) this.tellHandlers(attributes, own);
    if (role === "base" ? !isForeign : attributes.size > 0 || role === "form" || role === "button")
      this.visitor.element({ role, name, at, attributes });
  }

  private tellHandlers(attributes: StartTag["attributes"], own: ReadonlySet<string>): void {
    this.hasHandler = false;
    for (const [name, { text, at, end }] of attributes) {
      if (HANDLER.test(name) && !own.has(name) && end > at) this.visitor.handler(text, at);
    }
  }

  private endText(tag: StartTag, at: number): void {
    const content = this.html.slice(tag.end, at);
    if (tag.name === "script" && !tag.isForeign && content.includes("<!--")) {
      this.scriptEnd = escapedScriptEnd(this.html, tag.end);
      if (this.scriptEnd > at) return;
    }
    this.textElement = undefined;
    if (this.templates > 0) return;
    if (tag.name === "title") this.title(content);
    else if (tag.name === "style") this.visitor.style(content, tag.end);
    else this.script(tag, content);
  }

  private title(source: string): void {
    if (!this.hasTitle) this.visitor.title(oneLine(source.includes("&") ? decodeHTML(source) : source));
    this.hasTitle = true;
  }

  private script({ attributes, end }: StartTag, source: string): void {
    const kind = attributes.has("src") ? undefined : scriptKind(attributes.get("type")?.text ?? "");
    if (kind !== undefined) this.visitor.script(source, kind, end);
  }
}

/** Returns the text as `document.title` has it (HTML standard, 3.1.5), but without no-break spaces. */
function oneLine(text: string): string {
  return text.replaceAll("\0", "\uFFFD").replace(/\s+/g, " ").trim();
}

/**
 * Returns how a browser runs a script of this type (HTML standard, 4.12.1.1), or undefined for data such as JSON and import
 * maps.
 */
export function scriptKind(type: string): ScriptKind | undefined {
  const essence = type.trim();
  if (essence.toLowerCase() === "module") return "module";
  return essence === "" || JAVASCRIPT_TYPE.test(essence) ? "classic" : undefined;
}

type ScriptState = "plain" | "escaped" | "inner";

const SCRIPT_MARK = /<!--|-->|<\/?script[\t\n\f\r />]/gi;

/**
 * Returns where the end tag of a script begins that contains `<!--`. After `<!--` and `<script`, an end tag closes only that
 * inner script (HTML standard, 13.2.5.17 "Script data escaped state"), which htmlparser2 does not do.
 */
function escapedScriptEnd(html: string, from: number): number {
  let state: ScriptState = "plain";
  SCRIPT_MARK.lastIndex = from;
  for (let found = SCRIPT_MARK.exec(html); found !== null; found = SCRIPT_MARK.exec(html)) {
    const mark = found[0];
    if (mark.startsWith("</") && state !== "inner") return found.index;
    // The dashes of "<!-->" both open and close.
    if (mark === "<!--") SCRIPT_MARK.lastIndex = found.index + 2;
    state = nextScriptState(state, mark);
  }
  return html.length;
}

function nextScriptState(state: ScriptState, mark: string): ScriptState {
  if (mark === "-->") return "plain";
  if (mark === "<!--") return state === "plain" ? "escaped" : state;
  if (mark.startsWith("</")) return "escaped";
  return state === "escaped" ? "inner" : state;
}
