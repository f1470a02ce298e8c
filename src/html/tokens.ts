import { decodeHTMLAttribute } from "entities";
import { QuoteType, Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import type { Budget } from "./budget.ts";
import type { NameTable } from "./names.ts";

/** The value of an attribute. `at` and `end` are where its source lies, without quotes. */
export interface Attribute {
  readonly text: string;
  readonly at: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

export interface StartTag {
  /** In lower case, and cut to 64 characters; empty if the visitor has a table without it. */
  readonly name: string;
  readonly at: number;
  readonly end: number;
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** Whether the tag is in SVG or MathML. */
  readonly isForeign: boolean;
  /** Whether it is also the end tag: only in SVG and MathML does "/>" close an element. */
  readonly isClosed: boolean;
}

/** Receives the parts of a document in their order. Positions count UTF-16 units from the start of the document. */
export interface HtmlVisitor {
  /** The elements to report besides those with reported attributes; all if undefined. */
  readonly elements?: NameTable;
  /** The attributes to report; none if undefined. */
  readonly attributes?: NameTable;
  /** Returns whether to report an attribute of the table on this element. */
  wantsAttribute?(name: string, element: string): boolean;
  startTag?(tag: StartTag): void;
  endTag?(name: string, at: number): void;
  text?(text: string): void;
  doctype?(end: number): void;
}

/** Reads a document that arrives in pieces. */
export interface HtmlReader {
  push(piece: string): void;
  end(): void;
  /** Ignores the rest of the document. */
  stop(): void;
}

interface ReaderOptions {
  /** Decodes character references in text, which makes skipping text slower. */
  readonly decodesText?: boolean;
  /** Makes the reader throw `OverBudget`. */
  readonly budget?: Budget | undefined;
}

const MAX_NAME = 64;
/** Deeper elements are ignored, which bounds the work for each end tag. */
const MAX_FOREIGN_DEPTH = 64;
/** The elements that a table of elements needs for `StartTag.isForeign`. */
export const FOREIGN_ELEMENTS = ["svg", "math", "foreignobject"];
const NO_ATTRIBUTES: ReadonlyMap<string, Attribute> = new Map();

/** Returns a reader that takes linear time and memory for one piece; htmlparser2's `Parser` takes quadratic time. */
export function createHtmlReader(visitor: HtmlVisitor, options: ReaderOptions = {}): HtmlReader {
  const reader = new Reader(visitor, options);
  const tokenizer = new Tokenizer({ decodeEntities: options.decodesText === true }, reader);
  return {
    push(piece) {
      reader.hold(piece);
      tokenizer.write(piece);
    },
    end: () => tokenizer.end(),
    stop: () => tokenizer.pause(),
  };
}

/** Reads a whole document. Throws `OverBudget`. */
export function readHtml(html: string, visitor: HtmlVisitor, budget?: Budget): void {
  const reader = createHtmlReader(visitor, { budget });
  reader.push(html);
  reader.end();
}

class Reader implements TokenizerCallbacks {
  private readonly visitor: HtmlVisitor;
  private readonly budget: Budget | undefined;
  private readonly decodesText: boolean;
  private readonly foreign = new ForeignElements();
  private held = "";
  private heldFrom = 0;

  private element = "";
  private elementAt = 0;
  private attributes: Map<string, Attribute> | undefined;
  private attribute = "";
  private isWanted = false;
  private value = "";
  private valueAt = -1;

  constructor(visitor: HtmlVisitor, { budget, decodesText = false }: ReaderOptions) {
    this.visitor = visitor;
    this.budget = budget;
    this.decodesText = decodesText;
  }

  /** Keeps the end of the previous piece, where a name may begin. */
  hold(piece: string): void {
    this.budget?.spendText(piece.length);
    const kept = this.held.slice(-MAX_NAME);
    this.heldFrom += this.held.length - kept.length;
    this.held = kept + piece;
  }

  isInForeignContext(): boolean {
    return this.foreign.isInside();
  }

  onopentagname(start: number, end: number): void {
    this.budget?.spend(1);
    this.element = this.elementName(start, end);
    this.elementAt = start - 1;
    this.attributes = undefined;
  }

  onattribname(start: number, end: number): void {
    this.budget?.spend(1);
    this.isWanted = false;
    const name = this.find(this.visitor.attributes, start, end);
    if (name === undefined || this.visitor.wantsAttribute?.(name, this.element) === false) return;
    // The first of two attributes with the same name counts.
    if (this.attributes?.has(name)) return;
    this.isWanted = true;
    this.attribute = name;
    this.value = "";
    this.valueAt = -1;
  }

  onattribdata(start: number, end: number): void {
    if (!this.isWanted) return;
    if (this.valueAt === -1) this.valueAt = start;
    const data = this.slice(start, end);
    // Concatenation would copy the value later.
    this.value = this.value === "" ? data : this.value + data;
  }

  onattribentity(codePoint: number): void {
    if (this.isWanted) this.value += String.fromCodePoint(codePoint);
  }

  onattribend(quote: QuoteType, position: number): void {
    if (!this.isWanted) return;
    const isQuoted = quote > QuoteType.Unquoted;
    const end = isQuoted ? position - 1 : position;
    const at = this.valueAt === -1 ? end : this.valueAt;
    const text = this.decodesText || !this.value.includes("&") ? this.value : decodeHTMLAttribute(this.value);
    this.attributes ??= new Map();
    this.attributes.set(this.attribute, { text, at, end, isQuoted });
  }

  onopentagend(end: number): void {
    this.startTag(end + 1, false);
  }

  onselfclosingtag(end: number): void {
    this.startTag(end + 1, true);
  }

  onclosetag(start: number, end: number): void {
    this.budget?.spend(1);
    const name = this.elementName(start, end);
    if (name === "") return;
    this.foreign.leave(name);
    this.visitor.endTag?.(name, start - 2);
  }

  ontext(start: number, end: number): void {
    this.visitor.text?.(this.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.visitor.text?.(String.fromCodePoint(codePoint));
  }

  ondeclaration(_start: number, end: number): void {
    this.visitor.doctype?.(end + 1);
  }

  oncomment(): void {}
  oncdata(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  private startTag(end: number, isSelfClosing: boolean): void {
    const { element: name, elementAt: at, attributes = NO_ATTRIBUTES } = this;
    if (name === "" && attributes === NO_ATTRIBUTES) return;
    const isForeign = this.foreign.isInside();
    const isClosed = isSelfClosing && (isForeign || this.foreign.isRoot(name));
    if (!isClosed) this.foreign.enter(name);
    this.visitor.startTag?.({ name, at, end, attributes, isForeign, isClosed });
  }

  private elementName(start: number, end: number): string {
    const { elements } = this.visitor;
    if (elements !== undefined) return this.find(elements, start, end) ?? "";
    return this.slice(start, Math.min(end, start + MAX_NAME)).toLowerCase();
  }

  private find(table: NameTable | undefined, start: number, end: number): string | undefined {
    return table?.find(this.held, Math.max(0, start - this.heldFrom), end - this.heldFrom);
  }

  private slice(start: number, end: number): string {
    return this.held.slice(Math.max(0, start - this.heldFrom), end - this.heldFrom);
  }
}

/** Tracks whether the reader is inside SVG or MathML, but not inside the HTML of a `foreignObject`. */
class ForeignElements {
  private readonly open: string[] = [];

  isRoot(name: string): boolean {
    return name === "svg" || name === "math";
  }

  isInside(): boolean {
    return this.open.length > 0 && this.open.at(-1) !== "foreignobject";
  }

  enter(name: string): void {
    const isTracked = this.isRoot(name) || (name === "foreignobject" && this.isInside());
    if (isTracked && this.open.length < MAX_FOREIGN_DEPTH) this.open.push(name);
  }

  leave(name: string): void {
    const index = this.open.length === 0 ? -1 : this.open.lastIndexOf(name);
    if (index !== -1) this.open.length = index;
  }
}
