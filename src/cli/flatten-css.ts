import type { Adapt } from "./flatten.ts";

/** Whatever can hold a reference, and what may look like one and is none: comments come first, other strings last. */
const PIECES =
  /\/\*[\s\S]*?(?:\*\/|$)|(?<function>\burl\(\s*)(?:(?<quoted>"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')|(?<bare>(?:[^\s"'()\\]|\\[\s\S])+))(?=\s*[),]|\s*$|\s)|(?<rule>@import\s+|\bsrc\(\s*)(?<imported>"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/gi;

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
