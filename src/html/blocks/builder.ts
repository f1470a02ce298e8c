import { BLOCK_LIMITS, type Block, type Chart, type Image, oneLine } from "./block.ts";
import { type BuiltTable, createTableBuilder, type TableBuilder } from "./table-builder.ts";

/** Where the parts of a block were found, in the order of its text. */
export interface Found<Token> {
  /** The pieces of text, or the element of an image or chart. */
  readonly pieces: readonly { readonly text: string; readonly token: Token }[];
  /** The cells of a table, by row and column. */
  readonly cells: readonly (readonly (Token | undefined)[])[];
}

/**
 * Receives a page as a sequence of tags and text, from a parser or from a walk through a document. A token says where each
 * thing is. Tags may be missing, as in HTML.
 */
export interface BlockBuilder<Token> {
  open(name: string, attribute: (name: string) => string | undefined, token: Token): void;
  close(name: string): void;
  text(value: string, token: Token): void;
  image(image: Image, token: Token): void;
  chart(chart: Chart, token: Token): void;
  end(): void;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Elements that begin and end a block of text. Others, such as links, are part of one. */
const BREAKING = words(
  "address article aside blockquote body button caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol option p pre section select summary table tbody td tfoot th thead tr ul",
);
/** Elements after which text is a paragraph again. */
const ENDING = words("dd dl li ol pre ul");
const HEADING = /^h([1-6])$/;
const NO_CELLS: readonly never[] = [];

type TextKind = "paragraph" | "item" | "code" | `h${number}`;

/** Returns a builder that passes each block to `emit`, in the order of the page. */
export function createBlockBuilder<Token>(emit: (block: Block, found: Found<Token>) => void): BlockBuilder<Token> {
  const headings: { level: number; text: string }[] = [];
  const tables: TableBuilder<Token>[] = [];
  let kind: TextKind = "paragraph";
  let pieces: { text: string; token: Token }[] = [];
  let length = 0;
  let preformatted = 0;
  let isInCaption = false;
  let count = 0;

  const path = (): string[] => headings.map(({ text }) => text);

  function add(block: Block, found: Found<Token>): void {
    if (count++ < BLOCK_LIMITS.blocks) emit(block, found);
  }

  function flush(): void {
    const raw = pieces.map(({ text }) => text).join("");
    const found = { pieces, cells: NO_CELLS };
    const level = HEADING.exec(kind)?.[1];
    const text = kind === "code" ? raw.replace(/[ \t\r]+$/gm, "").replace(/^\n+|\n+$/g, "") : oneLine(raw);
    pieces = [];
    length = 0;
    if (text === "") return;
    if (level !== undefined) addHeading(Number(level), text, found);
    else add({ kind: kind === "item" || kind === "code" ? kind : "paragraph", text, headings: path() }, found);
  }

  function addHeading(level: number, text: string, found: Found<Token>): void {
    while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
    add({ kind: "heading", level, text, headings: path() }, found);
    headings.push({ level, text: text.slice(0, BLOCK_LIMITS.headingCharacters) });
  }

  function openTablePart(name: string, attribute: (name: string) => string | undefined, token: Token): void {
    const table = tables.at(-1);
    if (name === "thead") table?.startHead(true);
    else if (name === "tbody" || name === "tfoot") table?.startHead(false);
    else if (name === "tr") table?.startRow();
    else if (name === "caption") isInCaption = table !== undefined;
    else if (name === "td" || name === "th") {
      const spans = { columns: spanOf(attribute("colspan")), rows: spanOf(attribute("rowspan")) };
      table?.startCell(name === "th", spans, token);
    }
  }

  function open(name: string, attribute: (name: string) => string | undefined, token: Token): void {
    if (name === "br" || BREAKING.has(name)) space(token);
    if (!BREAKING.has(name)) return;
    if (name === "table") {
      flush();
      tables.push(createTableBuilder());
    } else if (tables.length > 0) openTablePart(name, attribute, token);
    else openText(name);
  }

  function openText(name: string): void {
    flush();
    if (name === "pre") preformatted++;
    kind =
      preformatted > 0
        ? "code"
        : HEADING.test(name)
          ? (name as TextKind)
          : name === "li" || name === "dd"
            ? "item"
            : kindAround();
  }

  /** A paragraph inside a list item is still the item. */
  const kindAround = (): TextKind => (kind === "item" ? "item" : "paragraph");

  /** Keeps words apart that only a tag separates. */
  function space(token: Token): void {
    if (tables.length > 0) tables.at(-1)?.text(" ");
    else if (pieces.length > 0) pieces.push({ text: kind === "code" ? "\n" : " ", token });
  }

  function close(name: string): void {
    if (!BREAKING.has(name)) return;
    if (name === "table") closeTable();
    else if (tables.length > 0) closeTablePart(name);
    else closeText(name);
  }

  function closeText(name: string): void {
    flush();
    if (name === "pre") preformatted = Math.max(0, preformatted - 1);
    if (preformatted === 0 && (ENDING.has(name) || HEADING.test(name))) kind = "paragraph";
  }

  function closeTablePart(name: string): void {
    if (name === "td" || name === "th") tables.at(-1)?.endCell();
    else if (name === "caption") isInCaption = false;
    else if (name === "thead") tables.at(-1)?.startHead(false);
    else tables.at(-1)?.text(" ");
  }

  function closeTable(): void {
    const built = tables.pop()?.end();
    isInCaption = false;
    if (built !== undefined) addTable(built);
  }

  function addTable({ table, cells }: BuiltTable<Token>): void {
    const hasText = (texts: readonly string[]) => texts.some((text) => text !== "");
    if (!(table.rows.some(hasText) || hasText(table.header))) return;
    add({ kind: "table", ...table, headings: path() }, { pieces: [], cells });
  }

  return {
    open,
    close,
    text(value, token) {
      const table = tables.at(-1);
      if (table !== undefined) {
        if (isInCaption) table.caption(value);
        else table.text(value);
        return;
      }
      length += value.length;
      if (length <= BLOCK_LIMITS.textCharacters) pieces.push({ text: value, token });
    },
    image(image, token) {
      add({ kind: "image", ...image, headings: path() }, { pieces: [{ text: "", token }], cells: NO_CELLS });
    },
    chart(chart, token) {
      add({ kind: "chart", ...chart, headings: path() }, { pieces: [{ text: "", token }], cells: NO_CELLS });
    },
    end() {
      while (tables.length > 0) closeTable();
      flush();
    },
  };
}

function spanOf(value: string | undefined): number {
  if (value === undefined) return 1;
  const span = Number.parseInt(value, 10);
  return span >= 1 ? Math.min(span, 10_000) : 1;
}
