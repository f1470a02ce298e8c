import { CODE_LENGTH, CODE_PATTERN } from "./names.ts";
import type { Random } from "./ports.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Bytes from this value on are dropped, so that every character is equally likely. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);
const ID_LENGTH = 16;

/** Returns `length` random letters and digits, each equally likely. */
export function randomText(random: Random, length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of random.bytes(length * 2)) {
      if (byte < FAIR_BYTES && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}

/** Returns a new code with 95 random bits and at least one uppercase letter. */
export function newCode(random: Random): string {
  for (;;) {
    const code = randomText(random, CODE_LENGTH);
    if (CODE_PATTERN.test(code)) return code;
  }
}

/** Returns a new opaque ID such as `fld_4Zk…`. */
export function newId(random: Random, prefix: string): string {
  return `${prefix}_${randomText(random, ID_LENGTH)}`;
}

/**
 * Returns new IDs for things that are added at once, at most 62³. They differ only at the end, so that a database has to
 * change few pages of its indexes.
 */
export function newIds(random: Random, prefix: string, count: number): string[] {
  const start = randomText(random, ID_LENGTH - 3);
  const digit = (number: number) => ALPHABET.charAt(number % ALPHABET.length);
  return Array.from({ length: count }, (_, position) => {
    const end = digit(position / ALPHABET.length ** 2) + digit(position / ALPHABET.length) + digit(position);
    return `${prefix}_${start}${end}`;
  });
}
