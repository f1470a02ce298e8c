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

/** What a provider says of somebody. */
export interface Identity extends IdentityKey {
  email: string | undefined;
  isEmailVerified: boolean;
  name: string | undefined;
  preferredUsername: string | undefined;
}

/** Who has signed in. */
export interface Identified {
  userId: string;
  /** Whether the user's earlier sessions are at an end. */
  hasEndedSessions: boolean;
}

interface Parts {
  store: { people: PeopleStore };
  clock: Clock;
  random: Random;
  defaultPlan: Plan;
  isSignUpOpen: boolean;
}

/** Each slug that is taken costs one; the later ones are made by chance. */
const SLUG_ATTEMPTS = 16;
const NAME_CHARACTERS = 120;

/** Users as a provider of single sign-on knows them. */
export function createIdentities({ store, clock, random, defaultPlan, isSignUpOpen }: Parts) {
  const { people } = store;

  /**
   * Finds or makes the user that an identity belongs to: by an earlier sign-in, else by the address if the provider has
   * verified it, else, where anyone may register, by making one. Throws `Forbidden`.
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

  /** Finds the user who has signed in with this identity before. */
  async function findKnown({ issuer, subject }: IdentityKey): Promise<Identified | undefined> {
    const userId = await people.findIdentity({ issuer, subject });
    return userId === undefined ? undefined : { userId, hasEndedSessions: false };
  }

  async function link({ issuer, subject }: IdentityKey, email: string): Promise<Identified | undefined> {
    const accountId = newId(random, "acc");
    try {
      const found = await people.linkIdentity({ issuer, subject, accountId, email, now: clock.now() });
      return found && { userId: found.userId, hasEndedSessions: !found.wasProven };
    } catch (error) {
      // Whoever clicked twice has been linked by the other request.
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
        isEmailProven: identity.isEmailVerified,
        slug: slugCandidate(base, attempt, randomText(random, 6).toLowerCase()),
        name: displayName(identity.name),
        proof: { issuer, subject },
        plan: defaultPlan,
        now: clock.now(),
      };
      const added = await add(user, identity);
      if (added !== undefined) return added;
    }
    throw new Failure("Conflict", "No free short name was found for the new account. Try again.");
  }

  /** Undefined when the slug is taken. */
  async function add(user: NewUser, identity: Identity): Promise<Identified | undefined> {
    try {
      await people.addUser(user);
      return { userId: user.id, hasEndedSessions: false };
    } catch (error) {
      const known = await unlessKnown(error, identity);
      if (known !== undefined) return known;
      if (!(await people.hasUser(user.email))) return undefined;
      // With a verified address it belongs to someone who came between.
      if (identity.isEmailVerified) return link(identity, user.email);
      throw unverified(user.email);
    }
  }

  /** After a conflict: the user whose identity it is by now, if any. Throws any other error on. */
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
