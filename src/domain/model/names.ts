import { invalid } from "./failure.ts";
import { quote } from "./quote.ts";

export const INDEX_FILE = "index.html";
export const GROUP_NAME_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/;
export const SLUG_PATTERN = /^[a-z0-9][a-z0-9-]{0,38}$/;
export const FILE_PATH_PATTERN = /^[A-Za-z0-9._-]+$/;
export const CODE_LENGTH = 16;
/** An upper-case letter is always there, so that no code can be a group's name and links never collide. */
export const CODE_PATTERN = /^(?=[0-9a-z]*[A-Z])[0-9A-Za-z]{16}$/;

/** What sign-in takes for an address, which is zod's idea of one. */
const EMAIL_PATTERN =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

export function checkSlug(slug: string): string {
  if (!SLUG_PATTERN.test(slug)) {
    throw invalid(
      `slug ${quote(slug)} isn't valid. Use 1 to 39 lowercase letters, digits or hyphens, and don't start with a hyphen.`,
    );
  }
  return slug;
}

/** Checks an e-mail address as far as that is sensible, and folds its case so that it is unique. */
export function checkEmail(email: string): string {
  if (email.length > 254 || !EMAIL_PATTERN.test(email))
    throw invalid(`email ${quote(email)} isn't a valid email address. Check it for typos.`);
  return email.toLowerCase();
}

/** What a sender may make up as the key of a request: visible ASCII. */
export const REQUEST_KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;
