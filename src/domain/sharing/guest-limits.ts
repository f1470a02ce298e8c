import type { Instant } from "../model/entities.ts";
import { invalid } from "../model/failure.ts";
import { checkEmail } from "../model/names.ts";
import { quote } from "../model/quote.ts";

/** Guest links of one report. */
export const GUEST_LINKS_PER_REPORT = 100;
/** Email addresses to which one guest link is limited. */
export const GUEST_EMAILS = 100;
/** Sites that may embed one guest link. */
export const GUEST_ORIGINS = 20;
/** Characters of a guest link's label. */
export const GUEST_LABEL_CHARACTERS = 120;

/** Host names as the URL parser writes them, without what would be another source in a policy, such as `*` or `;`. */
const ORIGIN_PATTERN =
  /^(?:https:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/;

/** Returns the origins that may embed a link, each once; null for none. Throws `Invalid`. */
export function checkEmbedOrigins(requested: readonly string[] | undefined): string[] | null {
  if (requested === undefined || requested.length === 0) return null;
  return [...new Set(requested.map(checkOrigin))];
}

function checkOrigin(requested: string): string {
  const origin = URL.parse(requested)?.origin;
  const isAlone = origin !== undefined && (requested === origin || requested.toLowerCase() === origin);
  if (!isAlone || !ORIGIN_PATTERN.test(origin)) {
    throw invalid(
      `embed_origins ${quote(requested)} isn't an origin. Use the scheme and host of a site, such as https://www.notion.so. http:// is only possible for localhost.`,
    );
  }
  return origin;
}

/** Returns the addresses to which a link is limited, each once and in lowercase; null for no limit. Throws `Invalid`. */
export function checkGuestEmails(requested: readonly string[] | undefined, sendsMail: boolean): string[] | null {
  if (requested === undefined || requested.length === 0) return null;
  if (!sendsMail) {
    throw invalid(
      "emails can't be used, because this server sends no mail. Set VITRINE_SMTP_URL on the server, or use a password.",
    );
  }
  return [...new Set(requested.map(checkListed))];
}

function checkListed(email: string): string {
  try {
    return checkEmail(email.trim());
  } catch {
    throw invalid(`emails ${quote(email)} isn't a valid email address. Check it for typos.`);
  }
}

/** Returns whether a link has a preview. Throws `Invalid` if the link is for few, while previews show the title to all who see it. */
export function checkPreview(requested: boolean | undefined, isGuarded: boolean): boolean {
  if (requested !== true) return false;
  if (isGuarded) {
    throw invalid(
      "preview can't be combined with password or emails, because it shows the report's title to anyone who sees the link. Leave out one of them.",
    );
  }
  return true;
}

/** Returns the time at which a link expires; null for never. Throws `Invalid` unless it is in the future. */
export function checkExpiry(requested: Instant | null | undefined, now: Instant): Instant | null {
  if (requested === undefined || requested === null) return null;
  if (requested <= now) throw invalid("expires_at must be in the future.");
  return requested;
}
