import { readFile } from "node:fs/promises";
import cyrillic from "@fontsource/inter/files/inter-cyrillic-500-normal.woff" with { type: "file" };
import cyrillicExt from "@fontsource/inter/files/inter-cyrillic-ext-500-normal.woff" with { type: "file" };
import greek from "@fontsource/inter/files/inter-greek-500-normal.woff" with { type: "file" };
import greekExt from "@fontsource/inter/files/inter-greek-ext-500-normal.woff" with { type: "file" };
import latin from "@fontsource/inter/files/inter-latin-500-normal.woff" with { type: "file" };
import latinExt from "@fontsource/inter/files/inter-latin-ext-500-normal.woff" with { type: "file" };
import vietnamese from "@fontsource/inter/files/inter-vietnamese-500-normal.woff" with { type: "file" };
import { type Font, type Glyph, parse } from "opentype.js";

const FILES = [latin, latinExt, cyrillic, cyrillicExt, greek, greekExt, vietnamese];

/** Text in Inter, with a separate font for each part of the alphabet. */
export interface Typeface {
  /** Returns whether there is an outline for a character. */
  covers(character: string): boolean;
  width(text: string, size: number): number;
  /** Returns the outlines of a line of text as SVG path data, with its baseline at `y`. */
  outlines(text: string, x: number, y: number, size: number): string;
}

/** Loads the fonts. */
export async function loadTypeface(): Promise<Typeface> {
  const fonts = await Promise.all(
    FILES.map(async (path) => {
      const bytes = await readFile(path);
      return parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    }),
  );
  return createTypeface(fonts);
}

/** A glyph of a line, and where it stands from the line's start. */
interface Placed {
  glyph: Glyph;
  at: number;
}

/** Sets text glyph by glyph, because the library doesn't know all substitutions of this font and throws for those. */
function createTypeface(fonts: readonly Font[]): Typeface {
  const findFont = (character: string) => fonts.find((font) => font.charToGlyphIndex(character) > 0);

  /** Places glyphs next to each other, and returns the width of all. */
  function place(text: string, size: number): { placed: Placed[]; width: number } {
    const placed: Placed[] = [];
    let width = 0;
    let before: { font: Font; glyph: Glyph } | undefined;
    for (const character of text) {
      const font = findFont(character);
      if (font === undefined) continue;
      const glyph = font.charToGlyph(character);
      const scale = size / font.unitsPerEm;
      if (before?.font === font) width += font.getKerningValue(before.glyph, glyph) * scale;
      placed.push({ glyph, at: width });
      width += (glyph.advanceWidth ?? 0) * scale;
      before = { font, glyph };
    }
    return { placed, width };
  }

  return {
    covers: (character) => findFont(character) !== undefined,
    width: (text, size) => place(text, size).width,
    outlines: (text, x, y, size) =>
      place(text, size)
        .placed.map(({ glyph, at }) => glyph.getPath(x + at, y, size).toPathData(1))
        .join(""),
  };
}
