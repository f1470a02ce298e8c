import { newId, randomText } from "./codes.ts";
import { invalid, notFound } from "./failure.ts";
import { countCharacters } from "./limits.ts";
import type { Role } from "./model.ts";
import { checkEmail, checkSlug } from "./names.ts";
import type { Plan } from "./plans.ts";
import type { Clock, PasswordHasher, Random, Store } from "./ports.ts";

const PASSWORD_MINIMUM = 10;

interface Parts {
  store: Pick<Store, "accounts">;
  clock: Clock;
  random: Random;
  passwords: PasswordHasher;
  defaultPlan: Plan;
}

/** Users, organizations and plans, as the operator manages them. */
export function createAccounts({ store, clock, random, passwords, defaultPlan }: Parts) {
  const { accounts } = store;

  /** Makes a user with a workspace of the same slug. Throws `Invalid` or `Conflict`. */
  async function createUser(wanted: {
    email: string;
    slug: string;
    name?: string | undefined;
    plan?: Plan | undefined;
    password: string;
  }): Promise<void> {
    const email = checkEmail(wanted.email);
    const slug = checkSlug(wanted.slug);
    await accounts.addUser({
      id: newId(random, "usr"),
      workspaceId: newId(random, "wsp"),
      email,
      slug,
      name: wanted.name === undefined ? null : checkDisplayName(wanted.name),
      passwordHash: await passwords.hash(checkPassword(wanted.password)),
      plan: wanted.plan ?? defaultPlan,
      now: clock.now(),
    });
  }

  /** A password for someone who did not choose one. */
  const makePassword = () => randomText(random, 20);

  /** Makes an organization owned by an existing user. Throws `Invalid`, `NotFound` or `Conflict`. */
  async function createOrganization(wanted: {
    slug: string;
    name: string;
    ownerSlug: string;
    plan?: Plan | undefined;
  }): Promise<void> {
    const slug = checkSlug(wanted.slug);
    const owner = await findUser(wanted.ownerSlug);
    await accounts.addOrganization({
      id: newId(random, "wsp"),
      slug,
      name: checkDisplayName(wanted.name),
      ownerId: owner.id,
      plan: wanted.plan ?? defaultPlan,
      now: clock.now(),
    });
  }

  /** Throws `NotFound`, or `Conflict` when the user is a member already. */
  async function addMember(wanted: { organizationSlug: string; userSlug: string; role: Role }): Promise<void> {
    const organization = await accounts.findWorkspace(wanted.organizationSlug);
    if (organization?.kind !== "org") throw notFound(`There is no organization "${wanted.organizationSlug}".`);
    const user = await findUser(wanted.userSlug);
    await accounts.addMember({
      workspaceId: organization.id,
      userId: user.id,
      role: wanted.role,
      now: clock.now(),
    });
  }

  /** Throws `NotFound`. */
  async function setPlan(slug: string, plan: Plan): Promise<void> {
    if (!(await accounts.setPlan({ slug, plan }))) throw notFound(`There is no workspace "${slug}".`);
  }

  async function findUser(slug: string) {
    const user = await accounts.findUserBySlug(slug);
    if (user === undefined) throw notFound(`There is no user "${slug}".`);
    return user;
  }

  return { createUser, makePassword, createOrganization, addMember, setPlan, countUsers: () => accounts.countUsers() };
}

function checkPassword(password: string): string {
  if (countCharacters(password) < PASSWORD_MINIMUM) {
    throw invalid(`password must have at least ${PASSWORD_MINIMUM} characters.`);
  }
  if (password.length > 1000) throw invalid("password must have at most 1000 characters.");
  return password;
}

function checkDisplayName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === "" || countCharacters(trimmed) > 120 || trimmed.includes("\0")) {
    throw invalid("name must have 1 to 120 characters.");
  }
  return trimmed;
}
