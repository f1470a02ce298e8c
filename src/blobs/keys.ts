/** The key of an object: a version's code, or that of its compressed forms. */
export const KEY_PATTERN = /^[0-9A-Za-z]{16}(\.z)?$/;

/** Throws when it is none, since it would lead elsewhere. */
export function checkKey(key: string): void {
  if (!KEY_PATTERN.test(key)) throw new Error(`"${key}" is no key of an object.`);
}
