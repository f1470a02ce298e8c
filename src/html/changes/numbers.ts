/** How a text writes the decimal mark. */
export type DecimalMark = "." | ",";

export interface NumberChange {
  /** After minus before. */
  readonly difference: number;
  /** The difference as a percentage of the value before; null if that was zero. */
  readonly percentage: number | null;
}

const SPACE = "[ \\u00a0\\u202f']";
const DIGITS = `\\d{1,3}(?:(?:,\\d{3})+|(?:\\.\\d{3})+|(?:${SPACE}\\d{3})+)(?![\\d])|\\d+`;
/** A number as people write it, with its sign, fraction and exponent. */
export const NUMBER_SOURCE = `[-+−]?(?:(?:${DIGITS})(?:[.,]\\d+)?|[.,]\\d+)(?:[eE][-+]?\\d{1,3}(?!\\w))?`;
const WHOLE = new RegExp(
  `^\\(?\\s*([-+−]?)\\s*([$€£¥₹]|[A-Z]{3}(?=\\s))?\\s*(${NUMBER_SOURCE})\\s*(%|‰|k|K|M|B|bn|G|T|[$€£¥₹]|[A-Za-zµ°/²³]{1,8})?\\s*\\)?$`,
);

const SCALES: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, B: 1e9, bn: 1e9, G: 1e9, T: 1e12 };

/** Returns how the texts write the decimal mark, as far as they show it: "1,5" and "1.234,5" have a comma. */
export function decimalMarkOf(texts: Iterable<string>): DecimalMark {
  let votes = 0;
  for (const text of texts) {
    if (/\d\.\d{3}(?:\.\d{3})*,\d/.test(text) || /(?:^|[^\d.,])\d{1,3}(?:\.\d{3}){2,}(?![\d.])/.test(text)) votes -= 5;
    else if (/\d,\d{3}(?:,\d{3})*\.\d/.test(text)) votes += 5;
    else if (/\d\.(?:\d{1,2}|\d{4,})(?![\d.,])/.test(text)) votes++;
    else if (/(?:^|[^\d.,])\d+,(?:\d{1,2}|\d{4,})(?![\d.,])/.test(text)) votes--;
  }
  return votes < 0 ? "," : ".";
}

export interface ReadNumber {
  readonly value: number;
  /** The unit or currency as written; empty without one. */
  readonly unit: string;
}

/** Returns the number that is all of the text, such as "$1.2M", "12 %" or "(3,4)"; undefined if it isn't one. */
export function readNumber(text: string, mark: DecimalMark): ReadNumber | undefined {
  if (text.length > 60 || !/\d/.test(text)) return undefined;
  const [, sign = "", currency = "", digits = "", suffix = ""] = WHOLE.exec(text.trim()) ?? [];
  if (digits === "") return undefined;
  const value = Number(plainDigits(digits, mark));
  if (!Number.isFinite(value)) return undefined;
  const isNegative = /[-−]/.test(sign) || /^\(.*\)$/.test(text.trim());
  return {
    value: value * (isNegative ? -1 : 1) * (SCALES[suffix] ?? 1),
    unit: currency || (suffix in SCALES ? "" : suffix),
  };
}

/** Returns the digits as JavaScript writes them. A single mark before three digits groups them if it isn't the decimal mark. */
function plainDigits(digits: string, mark: DecimalMark): string {
  const text = digits.replace("−", "-").replace(/[ \u00a0\u202f']/g, "");
  const other = mark === "." ? "," : ".";
  const last = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  if (last === -1) return text;
  const hasBoth = text.includes(".") && text.includes(",");
  if (hasBoth) return text.slice(0, last).replace(/[.,]/g, "") + text.slice(last).replace(",", ".");
  const character = text[last] ?? "";
  const isRepeated = text.indexOf(character) !== last;
  const isGroup = isRepeated || (character === other && /^[-+]?\d{1,3}[.,]\d{3}$/.test(text));
  return isGroup ? text.replace(/[.,]/g, "") : text.replace(",", ".");
}

/** Returns how one number changed into another; undefined if they have different units. */
export function numberChange(before: ReadNumber, after: ReadNumber): NumberChange | undefined {
  if (before.unit !== after.unit) return undefined;
  const difference = rounded(after.value - before.value);
  const percentage = before.value === 0 ? null : rounded((difference / Math.abs(before.value)) * 100);
  return { difference, percentage };
}

/** Returns the number without the noise of binary fractions. */
export const rounded = (value: number): number => Number(value.toPrecision(10));
