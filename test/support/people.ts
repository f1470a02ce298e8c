import { z } from "zod";
import type { Role } from "../../src/domain/model/entities.ts";
import { PASSWORD, type Service } from "./service.ts";
import { post } from "./sessions.ts";

export interface Person {
  userId: string;
  slug: string;
  email: string;
  /** Gives access to the person's own workspace. */
  token: string;
}

/** Adds a person, with a workspace. */
export async function addPerson({ build }: Pick<Service, "build">): Promise<Person> {
  const { slug, email, token } = await build.user();
  const found = await build.store.people.findUserBySlug(slug);
  if (found === undefined) throw new Error(`The user ${slug} was not stored.`);
  return { userId: found.id, slug, email, token };
}

/** Adds an organization with an owner, an admin and a member, and a stranger who doesn't belong to it. */
export async function addOrganization(service: Pick<Service, "build">) {
  const [owner, admin, member, stranger] = [
    await addPerson(service),
    await addPerson(service),
    await addPerson(service),
    await addPerson(service),
  ];
  const slug = `org-${crypto.randomUUID().slice(0, 12)}`;
  const { accounts } = service.build;
  await accounts.createOrganization({ slug, name: `The ${slug}`, ownerSlug: owner.slug });
  const join = (person: Pick<Person, "slug">, role: Role) =>
    accounts.addMember({ organizationSlug: slug, userSlug: person.slug, role });
  await join(admin, "admin");
  await join(member, "member");
  return { slug, owner, admin, member, stranger, join };
}

export type Organization = Awaited<ReturnType<typeof addOrganization>>;
export type Part = "owner" | "admin" | "member" | "stranger";
export const PARTS: readonly Part[] = ["owner", "admin", "member", "stranger"];

export const OWNERS: readonly Part[] = ["owner"];
export const LEADERS: readonly Part[] = ["owner", "admin"];

/** Returns the status that each part gets: 200, 403, or 404 for strangers. */
export function statusFor(part: Part, mayDo: readonly Part[]): number {
  if (part === "stranger") return 404;
  return mayDo.includes(part) ? 200 : 403;
}

/** Returns the roles in a new organization, by slug. */
export const firstRoles = ({ owner, admin, member }: Organization): Record<string, Role> => ({
  [owner.slug]: "owner",
  [admin.slug]: "admin",
  [member.slug]: "member",
});

/** Returns the roles in an organization, by slug, from the database. */
export async function rolesIn({ build }: Pick<Service, "build">, slug: string): Promise<Record<string, Role>> {
  const workspace = await build.store.people.findWorkspace(slug);
  const members = await build.store.people.listMembers(workspace?.id ?? "");
  return Object.fromEntries(members.map((member) => [member.slug, member.role]));
}

const invitationSchema = z.object({ id: z.string(), url: z.url() });

/** Creates an invitation and returns it with the secret in its link. */
export async function invite(
  service: Pick<Service, "baseUrl">,
  token: string,
  wanted: { owner: string; role?: "member" | "admin"; email?: string; expires?: string },
): Promise<{ id: string; url: string; secret: string }> {
  const response = await post(service, "/api/org/invitations/create", wanted, { Authorization: `Bearer ${token}` });
  const { id, url } = invitationSchema.parse(await response.json());
  return { id, url, secret: new URL(url).searchParams.get("token") ?? "" };
}

/** Returns an account that is valid unless overridden. */
export function buildAccount(overrides: { email?: string; slug?: string; name?: string; password?: string } = {}) {
  const slug = overrides.slug ?? `new-${crypto.randomUUID().slice(0, 12)}`;
  return { email: `${slug}@example.org`, slug, password: PASSWORD, ...overrides };
}
