import { BLOCK_LIMITS, type Block, type Chart, type Image, oneLine, type Table } from "./block.ts";
import { createTableBuilder, type TableBuilder } from "./table-builder.ts";

/** Receives a page as a sequence of tags and text. Tags may be missing, as in HTML. */
export interface BlockBuilder {
  open(name: string, attribute: (name: string) => string | undefined): void;
  close(name: string): void;
  text(value: string): void;
  image(image: Image): void;
  chart(chart: Chart): void;
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

type TextKind = "paragraph" | "item" | "code" | `h${number}`;

/** Returns a builder that passes each block to `emit`, in the order of the page. */
export function createBlockBuilder(emit: (block: Block) => void): BlockBuilder {
  const headings: { level: number; text: string }[] = [];
  const tables: TableBuilder[] = [];
  let kind: TextKind = "paragraph";
  let pieces: string[] = [];
  let length = 0;
  let preformatted = 0;
  let isInCaption = false;
  let count = 0;

  const path = (): string[] => headings.map(({ text }) => text);

  function add(block: Block): void {
    if (count++ < BLOCK_LIMITS.blocks) emit(block);
  }

  function flush(): void {
    const raw = pieces.join("");
    const level = HEADING.exec(kind)?.[1];
    const text = kind === "code" ? raw.replace(/[ \t\r]+$/gm, "").replace(/^\n+|\n+$/g, "") : oneLine(raw);
    pieces = [];
    length = 0;
    if (text === "") return;
    if (level !== undefined) addHeading(Number(level), text);
    else add({ kind: kind === "item" || kind === "code" ? kind : "paragraph", text, headings: path() });
  }

  function addHeading(level: number, text: string): void {
    while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
    add({ kind: "heading", level, text, headings: path() });
    headings.push({ level, text: text.slice(0, BLOCK_LIMITS.headingCharacters) });
  }

  function openTablePart(name: string, attribute: (name: string) => string | undefined): void {
    const table = tables.at(-1);
    if (name === "thead") table?.startHead(true);
    else if (name === "tbody" || name === "tfoot") table?.startHead(false);
    else if (name === "tr") table?.startRow();
    else if (name === "caption") isInCaption = table !== undefined;
    else if (name === "td" || name === "th") {
      const spans = { columns: spanOf(attribute("colspan")), rows: spanOf(attribute("rowspan")) };
      table?.startCell(name === "th", spans);
    }
  }

  function open(name: string, attribute: (name: string) => string | undefined): void {
    if (name === "br" || BREAKING.has(name)) space();
    if (!BREAKING.has(name)) return;
    if (name === "table") {
      flush();
      tables.push(createTableBuilder());
    } else if (tables.length > 0) openTablePart(name, attribute);
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
  function space(): void {
    if (tables.length > 0) tables.at(-1)?.text(" ");
    else if (pieces.length > 0) pieces.push(kind === "code" ? "\n" : " ");
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
    const table = tables.pop()?.end();
    isInCaption = false;
    if (table !== undefined) addTable(table);
  }

  function addTable(table: Table): void {
    const hasText = (texts: readonly string[]) => texts.some((text) => text !== "");
    if (!(table.rows.some(hasText) || hasText(table.header))) return;
    add({ kind: "table", ...table, headings: path() });
  }

  return {
    open,
    close,
    text(value) {
      const table = tables.at(-1);
      if (table !== undefined) {
        if (isInCaption) table.caption(value);
        else table.text(value);
        return;
      }
      length += value.length;
      if (length <= BLOCK_LIMITS.textCharacters) pieces.push(value);
    },
    image: (image) => add({ kind: "image", ...image, headings: path() }),
    chart: (chart) => add({ kind: "chart", ...chart, headings: path() }),
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
