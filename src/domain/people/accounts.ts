import { createHash } from "node:crypto";
import { newId, randomText } from "../model/codes.ts";
import { userNotFound } from "../model/common-failures.ts";
import type { Role } from "../model/entities.ts";
import { invalid, notFound } from "../model/failure.ts";
import { countCharacters } from "../model/limits.ts";
import { checkEmail, checkSlug } from "../model/names.ts";
import type { Plan } from "../model/plans.ts";
import type { Clock, Random } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import { isStorable } from "../model/storable-text.ts";
import type { NewUser, PasswordHasher, PeopleStore } from "./ports.ts";

/** The lifetime of a set-up link in milliseconds. Restarting Vitrine prints a new link. */
const SET_UP_LIFETIME = 24 * 60 * 60_000;
const SET_UP_SECRET_LENGTH = 32;
export const PASSWORD_MINIMUM = 10;
export const PASSWORD_MAXIMUM = 1000;

export interface RequestedUser {
  email: string;
  slug: string;
  name?: string | undefined;
  plan?: Plan | undefined;
  password: string;
}

interface Dependencies {
  store: { people: PeopleStore };
  clock: Clock;
  random: Random;
  passwords: PasswordHasher;
  defaultPlan: Plan;
}

/** Creates the service with which operators manage users, organizations and plans. */
export function createAccounts({ store, clock, random, passwords, defaultPlan }: Dependencies) {
  const { people } = store;

  /** Creates a user with a workspace. Takes the email address as verified. Throws `Invalid` or `Conflict`. */
  async function createUser(requested: RequestedUser): Promise<void> {
    await people.addUser(await prepareUser(requested, true));
  }

  /** Creates a user who registered on their own, with an unverified email address. Throws `Invalid` or `Conflict`. */
  async function registerUser(requested: RequestedUser): Promise<void> {
    await people.addUser(await prepareUser(requested, false));
  }

  /** Returns a user to pass to the store. Throws `Invalid`. */
  async function prepareUser(requested: RequestedUser, isEmailVerified: boolean): Promise<NewUser> {
    const email = checkEmail(requested.email);
    const slug = checkSlug(requested.slug);
    return {
      id: newId(random, "usr"),
      accountId: newId(random, "acc"),
      workspaceId: newId(random, "wsp"),
      email,
      isEmailVerified,
      slug,
      name: requested.name === undefined ? null : checkDisplayName(requested.name),
      proof: { passwordHash: await passwords.hash(checkPassword(requested.password)) },
      plan: requested.plan ?? defaultPlan,
      now: clock.now(),
    };
  }

  /** Creates a link for creating the first user; earlier ones stay valid. Returns its secret, which Vitrine doesn't store. */
  async function createSetUpLink(): Promise<string> {
    const secret = randomText(random, SET_UP_SECRET_LENGTH);
    const now = clock.now();
    const expiresAt = now + SET_UP_LIFETIME;
    await people.addSetUpLink({ id: newId(random, "ver"), hash: hashOf(secret), expiresAt, now });
    return secret;
  }

  /** Creates the first user. Throws `Invalid` or `Conflict`, without using up the link. */
  async function setUp(secret: string, requested: Omit<RequestedUser, "plan">): Promise<void> {
    // Checked first: only someone with a valid link may cause the work of hashing a password.
    if (!(await maySetUp(secret)))
      throw invalid("This link was already used, or it has expired. Restart Vitrine to get a new one.");
    await people.addFirstUser({ hash: hashOf(secret), user: await prepareUser(requested, true) });
  }

  const maySetUp = (secret: string): Promise<boolean> => people.hasSetUpLink(hashOf(secret), clock.now());

  /** Returns a random password. */
  const makePassword = () => randomText(random, 20);

  /** Creates an organization owned by a user. Returns it as stored. Throws `Invalid`, `NotFound` or `Conflict`. */
  async function createOrganization(requested: {
    slug: string;
    name: string;
    ownerSlug: string;
    plan?: Plan | undefined;
  }): Promise<{ slug: string; name: string }> {
    const slug = checkSlug(requested.slug);
    const name = checkDisplayName(requested.name);
    const owner = await findUser(requested.ownerSlug);
    await people.addOrganization({
      id: newId(random, "wsp"),
      slug,
      name,
      ownerId: owner.id,
      plan: requested.plan ?? defaultPlan,
      now: clock.now(),
    });
    return { slug, name };
  }

  /** Adds a user to an organization. Throws `NotFound`, or `Conflict` if the user is already a member. */
  async function addMember(requested: { organizationSlug: string; userSlug: string; role: Role }): Promise<void> {
    const organization = await people.findWorkspace(requested.organizationSlug);
    if (organization?.kind !== "org")
      throw notFound(`Organization ${quote(requested.organizationSlug)} not found. Check the slug.`);
    const user = await findUser(requested.userSlug);
    await people.addMember({
      workspaceId: organization.id,
      userId: user.id,
      role: requested.role,
      now: clock.now(),
    });
  }

  /** Sets a workspace's plan. Throws `NotFound`. */
  async function setPlan(slug: string, plan: Plan): Promise<void> {
    if (!(await people.setPlan({ slug, plan }))) throw notFound(`Workspace ${quote(slug)} not found. Check the slug.`);
  }

  async function findUser(slug: string) {
    const user = await people.findUserBySlug(slug);
    if (user === undefined) throw userNotFound(slug);
    return user;
  }

  return {
    createUser,
    registerUser,
    prepareUser,
    createSetUpLink,
    maySetUp,
    setUp,
    makePassword,
    createOrganization,
    addMember,
    setPlan,
    countUsers: () => people.countUsers(),
  };
}

export type Accounts = ReturnType<typeof createAccounts>;

const hashOf = (secret: string) => createHash("sha256").update(secret).digest("hex");

/** Returns a new password. Throws `Invalid`. */
export function checkPassword(password: string): string {
  if (countCharacters(password) < PASSWORD_MINIMUM) {
    throw invalid(`password must have at least ${PASSWORD_MINIMUM} characters.`);
  }
  if (password.length > PASSWORD_MAXIMUM) {
    throw invalid(`password must have at most ${PASSWORD_MAXIMUM} characters.`);
  }
  return password;
}

function checkDisplayName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === "" || countCharacters(trimmed) > 120) throw invalid("name must have 1 to 120 characters.");
  if (!isStorable(trimmed)) throw invalid("name must be valid Unicode text without NUL characters.");
  return trimmed;
}
