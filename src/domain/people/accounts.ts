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

/** Long enough to read the terminal, in milliseconds; the next start prints another. */
const SET_UP_LIFETIME = 24 * 60 * 60_000;
const SET_UP_SECRET_LENGTH = 32;
export const PASSWORD_MINIMUM = 10;
export const PASSWORD_MAXIMUM = 1000;

export interface WantedUser {
  email: string;
  slug: string;
  name?: string | undefined;
  plan?: Plan | undefined;
  password: string;
}

interface Parts {
  store: { people: PeopleStore };
  clock: Clock;
  random: Random;
  passwords: PasswordHasher;
  defaultPlan: Plan;
}

/** Users, organizations and plans, as the operator manages them. */
export function createAccounts({ store, clock, random, passwords, defaultPlan }: Parts) {
  const { people } = store;

  /** Makes a user with a workspace of the same slug; the operator vouches for the address. Throws `Invalid` or `Conflict`. */
  async function createUser(wanted: WantedUser): Promise<void> {
    await people.addUser(await prepareUser(wanted, true));
  }

  /** The same for people who make an account for themselves, whose address nobody has proven. */
  async function registerUser(wanted: WantedUser): Promise<void> {
    await people.addUser(await prepareUser(wanted, false));
  }

  /** A user as the store takes them. Throws `Invalid`. */
  async function prepareUser(wanted: WantedUser, isEmailProven: boolean): Promise<NewUser> {
    const email = checkEmail(wanted.email);
    const slug = checkSlug(wanted.slug);
    return {
      id: newId(random, "usr"),
      accountId: newId(random, "acc"),
      workspaceId: newId(random, "wsp"),
      email,
      isEmailProven,
      slug,
      name: wanted.name === undefined ? null : checkDisplayName(wanted.name),
      proof: { passwordHash: await passwords.hash(checkPassword(wanted.password)) },
      plan: wanted.plan ?? defaultPlan,
      now: clock.now(),
    };
  }

  /** Makes the link under which the first user makes themselves, and returns its secret, which is not kept. */
  async function createSetUpLink(): Promise<string> {
    const secret = randomText(random, SET_UP_SECRET_LENGTH);
    const now = clock.now();
    const expiresAt = now + SET_UP_LIFETIME;
    await people.replaceSetUpLink({ id: newId(random, "ver"), hash: hashOf(secret), expiresAt, now });
    return secret;
  }

  /** Makes the first user. Throws `Invalid` or `Conflict`; the link stays usable then, unless it was that. */
  async function setUp(secret: string, wanted: Omit<WantedUser, "plan">): Promise<void> {
    // Hashing a password is work that nobody without a link shall cause.
    if (!(await maySetUp(secret)))
      throw invalid("This link was already used, or it has expired. Restart Vitrine to get a new one.");
    await people.addFirstUser({ hash: hashOf(secret), user: await prepareUser(wanted, true) });
  }

  const maySetUp = (secret: string): Promise<boolean> => people.hasSetUpLink(hashOf(secret), clock.now());

  /** A password for someone who did not choose one. */
  const makePassword = () => randomText(random, 20);

  /** Makes an organization owned by an existing user; returns it as it is kept. Throws `Invalid`, `NotFound` or `Conflict`. */
  async function createOrganization(wanted: {
    slug: string;
    name: string;
    ownerSlug: string;
    plan?: Plan | undefined;
  }): Promise<{ slug: string; name: string }> {
    const slug = checkSlug(wanted.slug);
    const name = checkDisplayName(wanted.name);
    const owner = await findUser(wanted.ownerSlug);
    await people.addOrganization({
      id: newId(random, "wsp"),
      slug,
      name,
      ownerId: owner.id,
      plan: wanted.plan ?? defaultPlan,
      now: clock.now(),
    });
    return { slug, name };
  }

  /** Throws `NotFound`, or `Conflict` when the user is a member already. */
  async function addMember(wanted: { organizationSlug: string; userSlug: string; role: Role }): Promise<void> {
    const organization = await people.findWorkspace(wanted.organizationSlug);
    if (organization?.kind !== "org")
      throw notFound(`Organization ${quote(wanted.organizationSlug)} not found. Check the slug.`);
    const user = await findUser(wanted.userSlug);
    await people.addMember({
      workspaceId: organization.id,
      userId: user.id,
      role: wanted.role,
      now: clock.now(),
    });
  }

  /** Throws `NotFound`. */
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

function checkPassword(password: string): string {
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
