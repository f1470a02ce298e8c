import { forbidden, invalid, unavailable } from "../model/failure.ts";
import { checkEmail } from "../model/names.ts";
import type { Clock, OperatorLog, Random } from "../model/ports.ts";
import { titleOf } from "../model/titles.ts";
import type { PasswordHasher } from "../people/ports.ts";
import type { GuestLinkStore, GuestMail, OpenGuestLink } from "./guest-ports.ts";
import { createOneTimeCodes, createPasses, hashSecret, isSecret } from "./guest-secrets.ts";

/** Milliseconds for which a one-time code is valid. */
const CODE_LIFETIME = 10 * 60_000;
const TRIES_PER_CODE = 5;
/** The maximum number of mails on their way, which take memory while a mail server is slow. */
const MOST_UNDERWAY = 100;

interface Dependencies {
  store: { sharing: GuestLinkStore };
  clock: Clock;
  random: Random;
  passwords: PasswordHasher;
  /** Signs passes. */
  secret: string;
  /** Undefined if the server sends no mail. */
  guestMail: GuestMail | undefined;
  log: OperatorLog;
}

/** What a guest says to open a link. */
export interface GuestProof {
  password?: string | undefined;
  email?: string | undefined;
  /** The one-time code that was sent to the address. */
  code?: string | undefined;
}

/** Creates the service that opens guest links. */
export function createGuestAccess({ store, clock, random, passwords, secret, guestMail, log }: Dependencies) {
  const { sharing } = store;
  const passes = createPasses({ secret, clock });
  const codes = createOneTimeCodes({ secret, random });
  let underway = 0;

  /** Returns the link with this secret if it opens now. Unknown, expired and revoked ones, and those of deleted reports, are alike. */
  const find = async (text: string): Promise<OpenGuestLink | undefined> =>
    isSecret(text) ? sharing.findOpenGuestLink(hashSecret(text), clock.now()) : undefined;

  /** Returns whether a guest may see what the link shows: everyone, or those with a pass. */
  const mayOpen = (link: OpenGuestLink, pass: string | undefined): boolean =>
    !isGuarded(link) || (pass !== undefined && passes.isValid(pass, link.id));

  /** Returns a pass for a guest who proves what the link demands. Throws `Forbidden` or `Invalid`. */
  async function unlock(link: OpenGuestLink, proof: GuestProof): Promise<string> {
    // The password first, so that a wrong one doesn't use up the code.
    if (link.passwordHash !== null) await requirePassword(link.passwordHash, proof.password);
    if (link.emails !== null) await requireCode(link, proof);
    return passes.issue(link.id);
  }

  async function requirePassword(hash: string, password: string | undefined): Promise<void> {
    if (password === undefined || password === "") throw invalid("password is required to open this link.");
    if (!(await passwords.verify(password, hash))) throw forbidden("The password isn't right. Check it and try again.");
  }

  async function requireCode(link: OpenGuestLink, { email, code }: GuestProof): Promise<void> {
    if (email === undefined || code === undefined) throw invalid("email and code are required to open this link.");
    const address = checkEmail(email.trim());
    const isRight = await sharing.redeemGuestCode({
      linkId: link.id,
      emailHash: codes.hashEmail(link.id, address),
      codeHash: codes.hashCode(link.id, address, code),
      tries: TRIES_PER_CODE,
      now: clock.now(),
    });
    // Codes are only sent to addresses on the list, so the second condition doesn't fail alone.
    if (!isRight || !link.emails?.includes(address)) {
      throw forbidden("The code isn't right, or it has expired. Check it, or request a new one.");
    }
  }

  /**
   * Sends a one-time code to an address if the link is for it. Does the same work for any other address but the mail, so that
   * neither the answer nor its time reveals which addresses the link is for. Throws `Invalid` or `Unavailable`.
   */
  async function sendCode(link: OpenGuestLink, email: string): Promise<void> {
    const address = checkEmail(email.trim());
    if (link.emails === null) throw invalid("This link doesn't need an email address. Open it directly.");
    if (guestMail === undefined || underway >= MOST_UNDERWAY) {
      throw unavailable("The server can't send mail right now. Try again in a minute.", { retryAfter: 60 });
    }
    const code = codes.create();
    await sharing.setGuestCode({
      linkId: link.id,
      emailHash: codes.hashEmail(link.id, address),
      codeHash: codes.hashCode(link.id, address, code),
      expiresAt: clock.now() + CODE_LIFETIME,
    });
    if (!link.emails.includes(address)) return;
    const { ownerName, ownerSlug } = link.shown;
    const mail = { to: address, code, title: titleOf(link.shown), publisher: ownerName ?? ownerSlug };
    underway++;
    guestMail
      .sendGuestCode(mail)
      .catch((error: unknown) => log.warn({ message: "A mail with a one-time code could not be sent.", error }))
      .finally(() => {
        underway--;
      });
  }

  return { find, mayOpen, unlock, sendCode };
}

export type GuestAccess = ReturnType<typeof createGuestAccess>;

/** Returns whether a link demands more than its address. */
export const isGuarded = ({ passwordHash, emails }: Pick<OpenGuestLink, "passwordHash" | "emails">): boolean =>
  passwordHash !== null || emails !== null;
