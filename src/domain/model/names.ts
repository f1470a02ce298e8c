import { invalid } from "./failure.ts";
import { quote } from "./quote.ts";

export const INDEX_FILE = "index.html";
export const REPORT_NAME_CHARACTERS = 63;
export const REPORT_NAME_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/;
export const SLUG_PATTERN = /^[a-z0-9][a-z0-9-]{0,38}$/;
export const FILE_PATH_PATTERN = /^[A-Za-z0-9._-]+$/;
export const CODE_LENGTH = 16;
/** Requires an uppercase letter, so that no code is a valid report name and links never collide. */
export const CODE_PATTERN = /^(?=[0-9a-z]*[A-Z])[0-9A-Za-z]{16}$/;

/** Starts the paths on the content host under which Vitrine's own pages frame reports. No code, ticket or name is like it. */
export const FRAMED_MARK = "~framed";

/** Matches the email addresses that the sign-in library accepts, which validates them with zod. */
const EMAIL_PATTERN =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

/** Returns the slug. Throws `Invalid`. */
export function checkSlug(slug: string): string {
  if (!SLUG_PATTERN.test(slug)) {
    throw invalid(
      `slug ${quote(slug)} isn't valid. Use 1 to 39 lowercase letters, digits or hyphens, and don't start with a hyphen.`,
    );
  }
  return slug;
}

/** Returns an email address in lowercase, so that it is unique. Throws `Invalid`. */
export function checkEmail(email: string): string {
  if (email.length > 254 || !EMAIL_PATTERN.test(email))
    throw invalid(`email ${quote(email)} isn't a valid email address. Check it for typos.`);
  return email.toLowerCase();
}

/** Matches what a client may send as an idempotency key: visible ASCII characters. */
export const REQUEST_KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;
