declare module "*.wasm" {
  const path: string;

  // biome-ignore lint/style/noDefaultExport: the only form that a file can be imported in
  export default path;
}

declare module "*.woff" {
  const path: string;

  // biome-ignore lint/style/noDefaultExport: the only form that a file can be imported in
  export default path;
}

/** The part that cards use. The published types need those of browsers. */
declare module "opentype.js" {
  export interface Glyph {
    readonly advanceWidth?: number;
    getPath(x: number, y: number, size: number): { toPathData(decimals: number): string };
  }
  export interface Font {
    readonly unitsPerEm: number;
    /** Returns 0 for a character that the font doesn't have. */
    charToGlyphIndex(character: string): number;
    charToGlyph(character: string): Glyph;
    /** Returns by how much two neighbors move apart, in units of the font. */
    getKerningValue(left: Glyph, right: Glyph): number;
  }
  /** Parses a font in TrueType, OpenType or WOFF. */
  export function parse(file: ArrayBuffer): Font;
}
