import { newId, randomText } from "../model/codes.ts";
import { Failure, forbidden } from "../model/failure.ts";
import { countCharacters } from "../model/limits.ts";
import { checkEmail } from "../model/names.ts";
import type { Plan } from "../model/plans.ts";
import type { Clock, Random } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import { isStorable, toStorable } from "../model/storable-text.ts";
import type { IdentityKey, NewUser, PeopleStore } from "./ports.ts";
import { slugCandidate } from "./slug-candidates.ts";

/** A person's claims from an identity provider. */
export interface Identity extends IdentityKey {
  email: string | undefined;
  isEmailVerified: boolean;
  name: string | undefined;
  preferredUsername: string | undefined;
}

/** The user who signed in. */
export interface Identified {
  userId: string;
  /** Whether signing in ended the user's earlier sessions. */
  hasEndedSessions: boolean;
}

interface Dependencies {
  store: { people: PeopleStore };
  clock: Clock;
  random: Random;
  defaultPlan: Plan;
  isSignUpOpen: boolean;
}

/** Maximum slugs to try for a new user. The later ones are random. */
const SLUG_ATTEMPTS = 16;
const NAME_CHARACTERS = 120;

/** Creates the service that finds and creates users for single sign-on. */
export function createIdentities({ store, clock, random, defaultPlan, isSignUpOpen }: Dependencies) {
  const { people } = store;

  /**
   * Returns the user that an identity belongs to: the one who signed in with it before, else the one with its email
   * address if the provider verified it, else a new one if registration is open. Throws `Forbidden`.
   */
  async function identify(identity: Identity): Promise<Identified> {
    if (!isStorable(identity.subject))
      throw forbidden("The sign-in service sent an invalid user ID. Contact your administrator.");
    const known = await findKnown(identity);
    if (known !== undefined) return known;
    const email = usableEmail(identity);
    const linked = identity.isEmailVerified ? await link(identity, email) : undefined;
    if (linked !== undefined) return linked;
    if (isSignUpOpen) return register(identity, email);
    throw identity.isEmailVerified ? noAccount(email) : unverified(email);
  }

  /** Returns the user who signed in with this identity before. */
  async function findKnown({ issuer, subject }: IdentityKey): Promise<Identified | undefined> {
    const userId = await people.findIdentity({ issuer, subject });
    return userId === undefined ? undefined : { userId, hasEndedSessions: false };
  }

  async function link({ issuer, subject }: IdentityKey, email: string): Promise<Identified | undefined> {
    const accountId = newId(random, "acc");
    try {
      const found = await people.linkIdentity({ issuer, subject, accountId, email, now: clock.now() });
      return found && { userId: found.userId, hasEndedSessions: !found.wasVerified };
    } catch (error) {
      // After a double click, the other request may have linked the identity.
      return unlessKnown(error, { issuer, subject });
    }
  }

  async function register(identity: Identity, email: string): Promise<Identified> {
    const { issuer, subject } = identity;
    const base = identity.preferredUsername ?? email;
    for (let attempt = 0; attempt < SLUG_ATTEMPTS; attempt++) {
      const user: NewUser = {
        id: newId(random, "usr"),
        accountId: newId(random, "acc"),
        workspaceId: newId(random, "wsp"),
        email,
        isEmailVerified: identity.isEmailVerified,
        slug: slugCandidate(base, attempt, randomText(random, 6).toLowerCase()),
        name: displayName(identity.name),
        proof: { issuer, subject },
        plan: defaultPlan,
        now: clock.now(),
      };
      const added = await add(user, identity);
      if (added !== undefined) return added;
    }
    throw new Failure("Conflict", "No free username was found for the new account. Try again.");
  }

  /** Adds a user. Returns undefined if the slug is taken. */
  async function add(user: NewUser, identity: Identity): Promise<Identified | undefined> {
    try {
      await people.addUser(user);
      return { userId: user.id, hasEndedSessions: false };
    } catch (error) {
      const known = await unlessKnown(error, identity);
      if (known !== undefined) return known;
      if (!(await people.hasUser(user.email))) return undefined;
      // A user with this address was created meanwhile. If the address is verified, it is the same person.
      if (identity.isEmailVerified) return link(identity, user.email);
      throw unverified(user.email);
    }
  }

  /** Returns the identity's user after a conflict, if there is one by now. Rethrows any other error. */
  async function unlessKnown(error: unknown, key: IdentityKey): Promise<Identified | undefined> {
    if (error instanceof Failure && error.kind === "Conflict") return findKnown(key);
    throw error;
  }

  return { identify, findKnown };
}

export type Identities = ReturnType<typeof createIdentities>;

function usableEmail({ email }: Identity): string {
  if (email === undefined) {
    throw forbidden(
      "The sign-in service didn't share your email address, which an account requires. Allow it to share the address and try again.",
    );
  }
  try {
    return checkEmail(email);
  } catch {
    throw forbidden(
      `${quote(email)}, which the sign-in service sent, isn't a supported email address. Change your address there and try again.`,
    );
  }
}

const noAccount = (email: string) =>
  forbidden(`There is no account for ${email}. Ask an administrator of this server to create one, then sign in again.`);

const unverified = (email: string) =>
  forbidden(`The sign-in service hasn't verified that ${email} is your address. Verify it there, then sign in again.`);

function displayName(name: string | undefined): string | null {
  const trimmed = toStorable(name ?? "").trim();
  return trimmed === "" || countCharacters(trimmed) > NAME_CHARACTERS ? null : trimmed;
}
