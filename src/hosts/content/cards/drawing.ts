import { CARD_SIZE } from "../../../domain/cards/cards.ts";
import { MARK } from "../../../look/mark.ts";
import { COLORS } from "../../../look/tokens.ts";
import type { Typeface } from "./fonts.ts";

/** What a card says about a report. */
export interface CardText {
  title: string;
  /** The publisher. */
  author: string;
  /** The version and its date. */
  detail: string;
}

const { width: CARD_WIDTH, height: CARD_HEIGHT } = CARD_SIZE;

const MARGIN = 88;
const ROOM = CARD_WIDTH - 2 * MARGIN;
const LINES = 3;
const LINE_HEIGHT = 1.2;
/** The sizes of the title, of which the first that fits is used; longer titles are cut. */
const TITLE_SIZES = [84, 72, 62] as const;
const TEXT_SIZE = 34;
const MARK_SIZE = 56;
const BRAND = "Vitrine";
const ELLIPSIS = "…";

const [INK] = COLORS.ink;
const [SOFT] = COLORS["ink-soft"];
const [GROUND] = COLORS.surface;
const [LINE] = COLORS.line;

/**
 * Returns a card as SVG, with text as outlines. If the fonts lack letters of the title, the author takes its place: unfurlers
 * show the title beside the card.
 */
export function drawCard({ title, author, detail }: CardText, typeface: Typeface): string {
  const paths: string[] = [];
  const draw = (line: string, x: number, y: number, size: number, fill: string) =>
    void paths.push(`<path d="${typeface.outlines(line, x, y, size)}" fill="${fill}"/>`);

  draw(BRAND, MARGIN + MARK_SIZE + 20, MARGIN + 42, 40, INK);
  const { lines, size } = fitTitle(toLine(title, typeface) ?? `Report by ${author}`, typeface);
  const lineHeight = size * LINE_HEIGHT;
  const first = CARD_HEIGHT / 2 + 16 - (lines.length * lineHeight) / 2 + size * 0.88;
  for (const [index, line] of lines.entries()) draw(line, MARGIN, first + index * lineHeight, size, INK);
  const bottom = CARD_HEIGHT - MARGIN + 8;
  const detailWidth = typeface.width(detail, TEXT_SIZE);
  draw(detail, CARD_WIDTH - MARGIN - detailWidth, bottom, TEXT_SIZE, SOFT);
  draw(cut(author, ROOM - detailWidth - 48, TEXT_SIZE, typeface), MARGIN, bottom, TEXT_SIZE, SOFT);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}" viewBox="0 0 ${CARD_WIDTH} ${CARD_HEIGHT}">
<rect width="100%" height="100%" fill="${GROUND}"/><rect width="100%" height="14" fill="${MARK.color}"/>
<rect x="${MARGIN}" y="${bottom - 66}" width="${ROOM}" height="2" fill="${LINE}"/>
<g transform="translate(${MARGIN} ${MARGIN}) scale(${MARK_SIZE / 32})"><rect width="32" height="32" rx="${MARK.radius}" fill="${MARK.color}"/><path d="${MARK.path}" fill="none" stroke="#fff" stroke-width="${MARK.stroke}" stroke-linecap="round" stroke-linejoin="round"/></g>
${paths.join("\n")}
</svg>`;
}

/** Returns a text on one line, without symbols that the fonts lack; undefined if they lack letters of it. */
function toLine(text: string, typeface: Typeface): string | undefined {
  const characters = [...text.normalize("NFC").replace(/[\s\p{Cc}]+/gu, " ")];
  const known = characters.filter(typeface.covers).join("").replace(/ {2,}/g, " ").trim();
  const isWhole = characters.every((character) => typeface.covers(character) || !LETTER.test(character));
  return isWhole && known !== "" ? known : undefined;
}

const LETTER = /[\p{L}\p{M}\p{N}]/u;

function fitTitle(title: string, typeface: Typeface): { lines: string[]; size: number } {
  let last = { lines: [title], size: 0 };
  for (const size of TITLE_SIZES) {
    last = { lines: wrap(title, size, typeface), size };
    if (last.lines.length <= LINES) return last;
  }
  const { lines, size } = last;
  const shown = lines.slice(0, LINES);
  const end = shown.pop() ?? "";
  return { lines: [...shown, cut(`${end}${ELLIPSIS}`, ROOM, size, typeface)], size };
}

/** Breaks a text between words, and within those that are longer than a line. */
function wrap(text: string, size: number, typeface: Typeface): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (typeface.width(longer, size) <= ROOM) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    // Lines after these are not shown.
    while (typeface.width(line, size) > ROOM && lines.length <= LINES) {
      const start = longestStart(line, ROOM, size, typeface);
      lines.push(start);
      line = line.slice(start.length);
    }
    if (lines.length > LINES) break;
  }
  return [...lines, line];
}

/** Returns a text that fits into a width, cut with an ellipsis if it doesn't. */
function cut(text: string, room: number, size: number, typeface: Typeface): string {
  if (typeface.width(text, size) <= room) return text;
  const start = longestStart(text.replace(/…$/, ""), room - typeface.width(ELLIPSIS, size), size, typeface);
  return start.trimEnd() + ELLIPSIS;
}

/** Returns the longest start of a text that fits, at least one character. */
function longestStart(text: string, room: number, size: number, typeface: Typeface): string {
  let start = "";
  for (const character of text) {
    if (start !== "" && typeface.width(start + character, size) > room) break;
    start += character;
  }
  return start;
}
