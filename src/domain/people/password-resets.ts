import { createHash } from "node:crypto";
import { newId, randomText } from "../model/codes.ts";
import type { Events } from "../model/events.ts";
import { invalid } from "../model/failure.ts";
import type { Clock, Random } from "../model/ports.ts";
import { checkPassword } from "./accounts.ts";
import type { EmailOwner, PasswordHasher, PeopleStore } from "./ports.ts";

/** The lifetime of a link in milliseconds. */
const LIFETIME = 60 * 60_000;
const SECRET_LENGTH = 32;

interface Dependencies {
  store: { people: PeopleStore };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
  passwords: PasswordHasher;
}

/** Creates the service for single-use links with which people set a new password. */
export function createPasswordResets({ store, events, clock, random, passwords }: Dependencies) {
  const { people } = store;

  /** Creates a link that is valid for one hour. Returns its secret, which Vitrine doesn't store. */
  async function create(userId: string): Promise<string> {
    const secret = randomText(random, SECRET_LENGTH);
    const now = clock.now();
    const expiresAt = now + LIFETIME;
    await people.addPasswordReset({ id: newId(random, "ver"), userId, hash: hashOf(secret), expiresAt, now });
    return secret;
  }

  /** Returns whether a link is valid now. */
  const isOpen = (secret: string): Promise<boolean> => people.hasPasswordReset(hashOf(secret), clock.now());

  /**
   * Sets a new password and ends all sessions, and revokes all access tokens if asked to. Throws `Invalid`, without
   * using up the link.
   */
  async function use(
    secret: string,
    { password, revokesTokens }: { password: string; revokesTokens: boolean },
  ): Promise<EmailOwner> {
    // Checked first: only someone with a valid link may cause the work of hashing a password.
    if (!(await isOpen(secret))) throw linkOver();
    const change = { ...(await prepare(password)), revokesTokens };
    const owner = await people.usePasswordReset({ hash: hashOf(secret), ...change });
    if (owner === undefined) throw linkOver();
    events.publish({ kind: "sessionsEnded", userId: owner.userId });
    return owner;
  }

  /** Sets a user's password and ends all their sessions. Throws `Invalid`. */
  async function replace(userId: string, password: string): Promise<void> {
    await people.replacePassword({ userId, ...(await prepare(password)), revokesTokens: false });
    events.publish({ kind: "sessionsEnded", userId });
  }

  async function prepare(password: string) {
    const passwordHash = await passwords.hash(checkPassword(password));
    return { accountId: newId(random, "acc"), passwordHash, now: clock.now() };
  }

  return { create, isOpen, use, replace };
}

export type PasswordResets = ReturnType<typeof createPasswordResets>;

const linkOver = () => invalid("This link was already used, or it has expired. Request a new one.");

const hashOf = (secret: string) => createHash("sha256").update(secret).digest("hex");
