import { CODE_LENGTH, CODE_PATTERN } from "./names.ts";
import type { Random } from "./ports.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Bytes from this value on are dropped, so that every character is equally likely. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

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
  return `${prefix}_${randomText(random, 16)}`;
}
