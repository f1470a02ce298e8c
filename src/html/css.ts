import { tokenTypes as Token, tokenize } from "css-tree/tokenizer";
import { string, url } from "css-tree/utils";
import type { Budget } from "./budget.ts";

/** A `url(…)` without quotes, or a string in `url("…")` or `@import "…"`. */
export interface CssReference {
  readonly url: string;
  readonly at: number;
  readonly end: number;
  /** Returns the source of another reference in the same notation. */
  readonly write: (url: string) => string;
}

/** Longer references, mostly data: URLs, are skipped. */
const MAX_LENGTH = 2_000;
const MAY_REFER = /url\(|@import/i;

/** Finds the references of a stylesheet in their order, in linear time. Throws `OverBudget`. */
export function findCssReferences(css: string, visit: (reference: CssReference) => void, budget?: Budget): void {
  budget?.spendText(css.length);
  if (!MAY_REFER.test(css)) return;
  let expectsString = false;
  tokenize(css, (type, at, end) => {
    budget?.spend(1);
    switch (type) {
      case Token.WhiteSpace:
      case Token.Comment:
        return;
      case Token.Url:
        if (end - at <= MAX_LENGTH) visit({ url: url.decode(css.slice(at, end)), at, end, write: url.encode });
        break;
      case Token.String:
        if (expectsString && end - at <= MAX_LENGTH) visit(stringReference(css.slice(at, end), at));
    }
    expectsString =
      (type === Token.Function && isWord(css, at, end, "url(")) ||
      (type === Token.AtKeyword && isWord(css, at, end, "@import"));
  });
}

function stringReference(source: string, at: number): CssReference {
  const write = (text: string): string => string.encode(text, source.startsWith("'"));
  return { url: string.decode(source), at, end: at + source.length, write };
}

const isWord = (css: string, at: number, end: number, word: string): boolean =>
  end - at === word.length && css.slice(at, end).toLowerCase() === word;
