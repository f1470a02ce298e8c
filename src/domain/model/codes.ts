import { CODE_LENGTH, CODE_PATTERN } from "./names.ts";
import type { Random } from "./ports.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Bytes at or above this are dropped, so that every letter is equally likely. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** `length` letters and digits, each equally likely. */
export function randomText(random: Random, length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of random.bytes(length * 2)) {
      if (byte < FAIR_BYTES && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}

/** A new report code: 95 bits of chance, with at least one upper-case letter. */
export function newCode(random: Random): string {
  for (;;) {
    const code = randomText(random, CODE_LENGTH);
    if (CODE_PATTERN.test(code)) return code;
  }
}

/** An opaque id such as `fld_4Zk…`. */
export function newId(random: Random, prefix: string): string {
  return `${prefix}_${randomText(random, 16)}`;
}
