import { decodeHTML, decodeHTMLAttribute } from "entities";
import type { Budget } from "./budget.ts";
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
  startsHandlerName,
  tagNameEnd,
  unquotedValueEnd,
} from "./lexing.ts";
import { startsWithName } from "./name-table.ts";
import { ATTRIBUTES, type AttributeName, ELEMENTS, type Element, OTHER_ELEMENT, type Role } from "./tags.ts";

export type ScriptKind = "classic" | "module";

/** The value of an attribute, with where in the document it begins. */
export interface Value {
  readonly text: string;
  readonly at: number;
}

/** An element with those of its attributes that matter. */
export interface FoundElement {
  readonly role: Role;
  readonly name: string;
  readonly at: number;
  readonly attributes: ReadonlyMap<AttributeName, Value>;
}

/** What `scanHtml` tells about a document, in the order of the text; `at` is a position in it. */
export interface HtmlVisitor {
  /** The first title element outside svg, as text on one line; it may be empty. */
  title(text: string): void;
  /** An element that has attributes that matter, or a role. */
  element(element: FoundElement): void;
  formEnd(): void;
  /** The text of a style element. */
  style(css: string, at: number): void;
  /** An inline script that a browser would run. */
  script(source: string, kind: ScriptKind, at: number): void;
  /** The script in an attribute such as `onclick`. */
  handler(source: string, at: number): void;
}

const FORM = "form";
const JAVASCRIPT_TYPE =
  /^(?:(?:application|text)\/(?:x-)?(?:ecma|java)script|text\/(?:javascript1\.[0-5]|jscript|livescript))$/i;

/**
 * Reads a document once, in linear time, and tells the visitor what it refers to. Follows the HTML standard, 13.2.5
 * "Tokenization". What a browser does not render when scripts run (`noscript`, the content of `template`) is left out. No tree is
 * built, so an svg that is never closed hides a title after it. Throws `OverBudget`.
 */
export function scanHtml(html: string, visitor: HtmlVisitor, budget: Budget): void {
  new Scanner(html, visitor, budget).run();
}

/** Methods that read take the position where their piece of the text begins, and return the one after it. */
class Scanner {
  private readonly html: string;
  private readonly visitor: HtmlVisitor;
  private readonly budget: Budget;
  private templates = 0;
  private foreign = 0;
  private titled = false;

  /** Of the tag that is being read. */
  private wanted = 0;
  private wantsHandlers = false;
  private selfClosing = false;
  private found = new Map<AttributeName, Value>();

  constructor(html: string, visitor: HtmlVisitor, budget: Budget) {
    this.html = html;
    this.visitor = visitor;
    this.budget = budget;
  }

  run(): void {
    const { html, budget } = this;
    budget.spendText(html.length);
    for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at)) {
      budget.spend(1);
      at = this.markup(at + 1);
    }
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
    if (end - at === FORM.length && startsWithName(html, at, FORM)) this.visitor.formEnd();
    if (html.charCodeAt(end) === GREATER) return end + 1;
    this.wanted = 0;
    this.wantsHandlers = false;
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
    this.wantsHandlers = this.templates === 0;
    if (this.found.size > 0) this.found = new Map();
    const end = this.attributes(nameEnd);
    this.tell(element, at - 1);
    return element.content === "markup" ? end : this.content(element, end);
  }

  private tell({ role, name, content }: Element, at: number): void {
    if (this.templates > 0 || (content === "base" && this.foreign > 0)) return;
    const matters = this.found.size > 0 || role === "base" || role === "form" || role === "button";
    if (matters) this.visitor.element({ role, name, at, attributes: this.found });
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
      this.budget.spend(1);
      at = this.attribute(start);
    }
    return at;
  }

  private attribute(start: number): number {
    const { html } = this;
    const end = attributeNameEnd(html, start);
    const known = this.wanted === 0 ? undefined : ATTRIBUTES.find(html, start, end);
    // Of two attributes with the same name the first counts.
    const name = known === undefined || (this.wanted & known.bit) === 0 ? undefined : known.name;
    if (known !== undefined) this.wanted &= ~known.bit;
    const equals = skipSpace(html, end);
    if (html.charCodeAt(equals) === EQUALS) {
      const isHandler = name === undefined && this.wantsHandlers && startsHandlerName(html, start);
      return this.value(skipSpace(html, equals + 1), name, isHandler);
    }
    if (name !== undefined) this.found.set(name, { text: "", at: end });
    return equals;
  }

  private value(at: number, name: AttributeName | undefined, isHandler: boolean): number {
    const { html } = this;
    const quote = html.charCodeAt(at);
    const isQuoted = quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE;
    const start = isQuoted ? at + 1 : at;
    const end = isQuoted ? html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", start) : unquotedValueEnd(html, start);
    if (end === -1) return html.length;
    if (name !== undefined || isHandler) {
      const text = decodeHTMLAttribute(html.slice(start, end));
      if (name !== undefined) this.found.set(name, { text, at: start });
      else this.visitor.handler(text, start);
    }
    return isQuoted ? end + 1 : end;
  }

  private content(element: Element, at: number): number {
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
        this.enter(element);
        return at;
    }
  }

  private enter({ content }: Element): void {
    if (content === "foreign") this.foreign++;
    if (content === "template" && (this.templates > 0 || !this.found.has("shadowrootmode"))) this.templates++;
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
    if (this.templates === 0) this.visitor.style(this.html.slice(at, end), at);
    return end;
  }

  private script(at: number): number {
    const end = scriptEnd(this.html, at);
    const isInline = this.templates === 0 && !this.found.has("src");
    const kind = isInline ? scriptKind(this.found.get("type")?.text ?? "") : undefined;
    // A script that is never closed is not run.
    if (kind !== undefined && end < this.html.length) this.visitor.script(this.html.slice(at, end), kind, at);
    return end;
  }
}

/** The text as `document.title` would have it, HTML standard 3.1.5, but also without no-break spaces. */
function oneLine(text: string): string {
  return text.replaceAll("\0", "\uFFFD").replace(/\s+/g, " ").trim();
}

/**
 * Returns how a browser runs a script of this type: HTML standard, 4.12.1.1 "prepare the script element". Undefined for data,
 * such as JSON and import maps.
 */
export function scriptKind(type: string): ScriptKind | undefined {
  const essence = type.trim();
  if (essence.toLowerCase() === "module") return "module";
  return essence === "" || JAVASCRIPT_TYPE.test(essence) ? "classic" : undefined;
}
