/** Adapts one reference as it stands in a document; unchanged where it leads to none of the files. */
export type Adapt = (reference: string) => string;

const ESCAPE = String.raw`\\(?:[0-9a-f]{1,6}\s?|[\s\S])`;
const STRING = String.raw`"(?:[^"\\\n]|${ESCAPE})*"|'(?:[^'\\\n]|${ESCAPE})*'`;
const COMMENT = String.raw`\/\*[\s\S]*?(?:\*\/|$)`;
const URL_FUNCTION = String.raw`(?<function>(?<![\w-])url\(\s*)(?:(?<quoted>${STRING})|(?<bare>(?:[^\s"'()\\]|${ESCAPE})+))`;
const IMPORT = String.raw`(?<rule>@import\s+)(?<imported>${STRING})`;

/** Whatever can hold a reference, or looks as if it did: comments first, other strings last. */
const PIECES = new RegExp([COMMENT, URL_FUNCTION, IMPORT, STRING].join("|"), "gi");

/** Adapts the references of a stylesheet and changes nothing else. */
export function rewriteCss(css: string, adapt: Adapt): string {
  return css.replace(PIECES, (piece, ...rest) => {
    const groups: unknown = rest.at(-1);
    return isGroups(groups) ? rewritePiece(piece, groups, adapt) : piece;
  });
}

type Groups = Partial<Record<"function" | "quoted" | "bare" | "rule" | "imported", string>>;

const isGroups = (value: unknown): value is Groups => typeof value === "object" && value !== null;

function rewritePiece(piece: string, groups: Groups, adapt: Adapt): string {
  const { quoted, bare, imported } = groups;
  const before = groups.function ?? groups.rule ?? "";
  const string = quoted ?? imported;
  if (string !== undefined)
    return before + string.charAt(0) + adaptEscaped(string.slice(1, -1), adapt) + string.charAt(0);
  return bare === undefined ? piece : before + adaptEscaped(bare, adapt);
}

function adaptEscaped(raw: string, adapt: Adapt): string {
  const plain = raw.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, code?: string, character?: string) =>
    code === undefined ? (character ?? "") : String.fromCodePoint(Number.parseInt(code, 16) || 0xfffd),
  );
  const adapted = adapt(plain);
  return adapted === plain ? raw : adapted.replace(/["'()\\\s]/g, (character) => `\\${character}`);
}
