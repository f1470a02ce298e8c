import type { Administrator } from "../model/access.ts";
import { userNotFound } from "../model/common-failures.ts";
import type { WorkspaceKind } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { conflict, notFound } from "../model/failure.ts";
import type { Clock } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import type { Member, PeopleStore } from "../people/ports.ts";
import type {
  AdministeredOrganization,
  AdministeredUser,
  AdministeredUserDetails,
  AdministeredWorkspace,
  UserState,
  WorkspaceOrder,
  WorkspacePlace,
} from "./administration-ports.ts";
import type { OperationsStore } from "./ports.ts";

/** The maximum number of entries on one page of a list. */
export const ADMINISTERED_PAGE = 200;

interface Dependencies {
  store: { operations: OperationsStore; people: PeopleStore };
  events: Pick<Events, "publish">;
  clock: Clock;
}

/** Selects a page of a list that is sorted by slug. */
export interface RequestedPage {
  /** Text that occurs in the slug, the name or the email address, in any case. */
  contains?: string | undefined;
  /** The last slug of the previous page. */
  after?: string | undefined;
  limit?: number | undefined;
}

/** A page of a list. `next` is the place to continue from; undefined on the last page. */
export interface Page<Entry, Place> {
  entries: Entry[];
  next: Place | undefined;
}

/** Creates the service with which operators administer users and workspaces. Every call states who acts. */
export function createAdministration({ store, events, clock }: Dependencies) {
  const { operations, people } = store;

  /** Returns a page of users, sorted by slug. */
  async function listUsers(
    _by: Administrator,
    { contains, state, after, limit = ADMINISTERED_PAGE }: RequestedPage & { state?: UserState | undefined } = {},
  ): Promise<Page<AdministeredUser, string>> {
    const found = await operations.listUsers({ contains, state, after, limit: limit + 1 });
    return pageOf(found, limit, ({ slug }) => slug);
  }

  /** Returns a user with their organizations and the numbers of what they own. Throws `NotFound`. */
  async function showUser(_by: Administrator, slug: string): Promise<AdministeredUserDetails> {
    const user = await operations.findAdministeredUser(slug, clock.now());
    if (user === undefined) throw userNotFound(slug);
    return user;
  }

  /** Refuses a user's sessions, access tokens and sign-ins from now on. Keeps their reports. Throws `NotFound`. */
  async function disableUser(by: Administrator, slug: string): Promise<void> {
    const user = await findUser(slug);
    refuseOwn(by, user.id, "disable your own account");
    await operations.disableUser({ by, userId: user.id, now: clock.now() });
    publishAccess(user.id);
  }

  /** Lets a disabled user sign in again. Their access tokens work again. Throws `NotFound`. */
  async function enableUser(by: Administrator, slug: string): Promise<void> {
    const user = await findUser(slug);
    await operations.enableUser({ by, userId: user.id, now: clock.now() });
    publishAccess(user.id);
  }

  /** Gives a user the operator role. Throws `NotFound`. */
  const grantOperator = (by: Administrator, slug: string): Promise<void> => setOperator(by, slug, true);

  /** Takes the operator role from a user. Throws `NotFound`, or `Conflict` for operators who would lose their own. */
  const revokeOperator = (by: Administrator, slug: string): Promise<void> => setOperator(by, slug, false);

  async function setOperator(by: Administrator, slug: string, isOperator: boolean): Promise<void> {
    const user = await findUser(slug);
    if (!isOperator) refuseOwn(by, user.id, "revoke your own operator role");
    await operations.setOperator({ by, userId: user.id, isOperator, now: clock.now() });
    events.publish({ kind: "accountChanged", userId: user.id });
  }

  /** Returns a page of organizations, sorted by slug. */
  async function listOrganizations(
    _by: Administrator,
    { contains, after, limit = ADMINISTERED_PAGE }: RequestedPage = {},
  ): Promise<Page<AdministeredOrganization, string>> {
    const found = await operations.listOrganizations({ contains, after, limit: limit + 1 });
    return pageOf(found, limit, ({ slug }) => slug);
  }

  /** Returns an organization with its members. Throws `NotFound`. */
  async function showOrganization(
    _by: Administrator,
    slug: string,
  ): Promise<{ organization: AdministeredWorkspace; members: Member[] }> {
    const organization = await operations.findWorkspace(slug);
    if (organization?.kind !== "org") throw notFound(`Organization ${quote(slug)} not found. Check the slug.`);
    return { organization, members: await people.listMembers(organization.id) };
  }

  /** Returns a page of workspaces, sorted by slug, or by stored bytes with the largest first. */
  async function listWorkspaces(
    _by: Administrator,
    requested: {
      by?: WorkspaceOrder | undefined;
      kind?: WorkspaceKind | undefined;
      after?: WorkspacePlace | undefined;
      limit?: number | undefined;
    } = {},
  ): Promise<Page<AdministeredWorkspace, WorkspacePlace>> {
    const { by = "storage", kind, after, limit = ADMINISTERED_PAGE } = requested;
    const found = await operations.listWorkspaces({ by, kind, after, limit: limit + 1 });
    return pageOf(found, limit, ({ slug, storedBytes }) => ({ slug, storedBytes }));
  }

  async function findUser(slug: string) {
    const user = await people.findUserBySlug(slug);
    if (user === undefined) throw userNotFound(slug);
    return user;
  }

  /** Ends open connections of a user, and tells their pages. */
  function publishAccess(userId: string): void {
    events.publish({ kind: "sessionsEnded", userId });
  }

  return {
    listUsers,
    showUser,
    disableUser,
    enableUser,
    grantOperator,
    revokeOperator,
    listOrganizations,
    showOrganization,
    listWorkspaces,
  };
}

export type Administration = ReturnType<typeof createAdministration>;

function pageOf<Entry, Place>(found: Entry[], limit: number, placeOf: (entry: Entry) => Place): Page<Entry, Place> {
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return { entries, next: found.length > limit && last !== undefined ? placeOf(last) : undefined };
}

/** Throws `Conflict` if operators would lock themselves out. Another operator or a command can do it. */
function refuseOwn({ userId }: Administrator, affectedId: string, action: string): void {
  if (userId === affectedId) throw conflict(`You can't ${action}. Ask another operator.`);
}
