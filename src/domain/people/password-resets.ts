import { createHash } from "node:crypto";
import { newId, randomText } from "../model/codes.ts";
import type { Events } from "../model/events.ts";
import { invalid, unavailable } from "../model/failure.ts";
import type { Addresses } from "../model/links.ts";
import { checkEmail } from "../model/names.ts";
import type { Clock, OperatorLog, Random } from "../model/ports.ts";
import { checkPassword } from "./accounts.ts";
import type { AccountMail } from "./password-ports.ts";
import type { PasswordHasher, PeopleStore } from "./ports.ts";

/** The lifetime of a link in milliseconds. */
const LIFETIME = 60 * 60_000;
const SECRET_LENGTH = 32;
/** The maximum number of mails on their way, which take memory while a mail server is slow. */
const MOST_UNDERWAY = 100;

/** The path of the page that sets a new password. */
export const RESET_PATH = "/-/reset-password";

interface Dependencies {
  store: { people: PeopleStore };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
  passwords: PasswordHasher;
  addresses: Pick<Addresses, "baseUrl">;
  /** Undefined if the server sends no mail. */
  accountMail: AccountMail | undefined;
  /** Whether people can sign in without a password. */
  hasSingleSignOn: boolean;
  log: OperatorLog;
}

/** Creates the service for single-use links with which people set a new password. */
export function createPasswordResets(dependencies: Dependencies) {
  const { store, events, clock, random, passwords, addresses, accountMail, hasSingleSignOn, log } = dependencies;
  const { people } = store;
  let underway = 0;

  /** Returns a link that is valid once, for one hour. Vitrine doesn't store its secret. */
  async function createLink(userId: string, { isMailed }: { isMailed: boolean }): Promise<string> {
    const secret = randomText(random, SECRET_LENGTH);
    const now = clock.now();
    const reset = { id: newId(random, "ver"), userId, hash: hashOf(secret), isMailed, expiresAt: now + LIFETIME, now };
    await people.addPasswordReset(reset);
    return `${addresses.baseUrl}${RESET_PATH}?token=${secret}`;
  }

  /**
   * Sends a link to an email address if it belongs to an account. Returns before it looks for the account, so that
   * neither the answer nor its time reveals whether there is one. Throws `Invalid`, or `Unavailable` if too many mails are
   * on their way.
   */
  function request(email: string): void {
    const address = checkEmail(email);
    if (accountMail === undefined)
      throw invalid("This server sends no mail. Ask its administrator for a new password.");
    if (underway >= MOST_UNDERWAY) {
      throw unavailable("The server is sending too many mails right now. Try again in a minute.", { retryAfter: 60 });
    }
    inBackground(async () => {
      const owner = await people.findEmailOwner(address);
      if (owner === undefined) return;
      const { email: to, userId } = owner;
      if (hasSingleSignOn && !owner.hasPassword) return accountMail.sendSingleSignOnHint({ to });
      return accountMail.sendPasswordLink({ to, url: await createLink(userId, { isMailed: true }) });
    });
  }

  function inBackground(work: () => Promise<void>): void {
    underway++;
    work()
      .catch((error: unknown) => log.warn({ message: "A mail about a password could not be sent.", error }))
      .finally(() => {
        underway--;
      });
  }

  /** Returns whether a link is valid now. */
  const isOpen = (secret: string): Promise<boolean> => people.hasPasswordReset(hashOf(secret), clock.now());

  /** Sets a new password and ends all sessions. Throws `Invalid`, without using up the link. */
  async function use(secret: string, password: string): Promise<void> {
    // Checked first: only someone with a valid link may cause the work of hashing a password.
    if (!(await isOpen(secret))) throw linkOver();
    const owner = await people.redeemPasswordReset({ hash: hashOf(secret), ...(await prepare(password)) });
    if (owner === undefined) throw linkOver();
    events.publish({ kind: "sessionsEnded", userId: owner.userId });
    if (accountMail !== undefined) inBackground(() => accountMail.sendPasswordChanged({ to: owner.email }));
  }

  /** Sets a user's password and ends all their sessions. Throws `Invalid`. */
  async function replace(userId: string, password: string): Promise<void> {
    await people.replacePassword({ userId, ...(await prepare(password)) });
    events.publish({ kind: "sessionsEnded", userId });
  }

  async function prepare(password: string) {
    const passwordHash = await passwords.hash(checkPassword(password));
    return { accountId: newId(random, "acc"), passwordHash, now: clock.now() };
  }

  return { sendsMail: accountMail !== undefined, createLink, request, isOpen, use, replace };
}

export type PasswordResets = ReturnType<typeof createPasswordResets>;

const linkOver = () => invalid("This link was already used, or it has expired. Request a new one.");

const hashOf = (secret: string) => createHash("sha256").update(secret).digest("hex");
