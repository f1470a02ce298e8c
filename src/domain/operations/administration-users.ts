import type { Administrator } from "../model/access.ts";
import { tokenNotFound, userNotFound } from "../model/common-failures.ts";
import type { Events } from "../model/events.ts";
import { conflict } from "../model/failure.ts";
import type { Clock } from "../model/ports.ts";
import type { PeopleStore } from "../people/ports.ts";
import { ADMINISTERED_PAGE, type Page, pageOf, type RequestedPage, refuseOwn } from "./administration-pages.ts";
import type {
  AdministeredToken,
  AdministeredUser,
  AdministeredUserDetails,
  TokenPlace,
  UserState,
} from "./administration-ports.ts";
import { createEmptying, type Emptied } from "./emptying.ts";
import type { OperationsStore } from "./ports.ts";

interface Dependencies {
  store: { operations: OperationsStore; people: PeopleStore };
  events: Pick<Events, "publish">;
  clock: Clock;
}

/** Creates the service with which operators administer users, their sessions and access tokens. */
export function createUserAdministration({ store, events, clock }: Dependencies) {
  const { operations, people } = store;
  const emptying = createEmptying({ store, events, clock });

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
    events.publish({ kind: "sessionsEnded", userId: user.id });
  }

  /** Lets a disabled user sign in again. Their access tokens work again. Throws `NotFound`. */
  async function enableUser(by: Administrator, slug: string): Promise<void> {
    const user = await findUser(slug);
    await operations.enableUser({ by, userId: user.id, now: clock.now() });
    events.publish({ kind: "accountChanged", userId: user.id });
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

  /**
   * Deletes a user with the reports in their own workspace; what they published in organizations stays. If it is
   * interrupted, the user is disabled, and the next call continues. Throws `NotFound`, or `Conflict` for the only owner
   * of an organization.
   */
  async function deleteUser(by: Administrator, slug: string): Promise<Emptied> {
    const { id: userId, workspaceId } = await findUser(slug);
    refuseOwn(by, userId, "delete your own account");
    const { soleOwnerOf } = await operations.beginUserDeletion({ by, userId, now: clock.now() });
    if (soleOwnerOf.length > 0) throw soleOwner(slug, soleOwnerOf);
    events.publish({ kind: "sessionsEnded", userId });
    for (let reports = 0; ; ) {
      reports += (await emptying.empty(by, workspaceId)).reports;
      const outcome = await operations.finishUserDeletion({ by, userId, workspaceId, now: clock.now() });
      if (outcome.kind === "sole owner") throw soleOwner(slug, outcome.soleOwnerOf);
      if (outcome.kind === "has reports") continue;
      for (const removed of outcome.removed) events.publish({ kind: "membershipChanged", ...removed });
      events.publish({ kind: "sessionsEnded", userId });
      return { reports };
    }
  }

  /** Returns a page of access tokens of a user, or of everyone, oldest first. Throws `NotFound`. */
  async function listTokens(
    _by: Administrator,
    requested: { user?: string | undefined; after?: TokenPlace | undefined; limit?: number | undefined } = {},
  ): Promise<Page<AdministeredToken, TokenPlace>> {
    const { user, after, limit = ADMINISTERED_PAGE } = requested;
    const userId = user === undefined ? undefined : (await findUser(user)).id;
    const found = await operations.listAllTokens({ userId, after, limit: limit + 1 });
    return pageOf(found, limit, ({ createdAt, id }) => ({ createdAt, id }));
  }

  /** Revokes an access token of any user immediately. Throws `NotFound`. */
  async function revokeToken(by: Administrator, id: string): Promise<void> {
    const userId = await operations.removeAnyToken({ by, id });
    if (userId === undefined) throw tokenNotFound(id);
    events.publish({ kind: "accountChanged", userId });
  }

  /** Signs a user out everywhere. Returns how many sessions ended. Throws `NotFound`. */
  async function endSessions(by: Administrator, slug: string): Promise<number> {
    const { id: userId } = await findUser(slug);
    const ended = await operations.endAllSessions({ by, userId, now: clock.now() });
    events.publish({ kind: "sessionsEnded", userId });
    return ended;
  }

  /** Signs everyone out. Returns how many sessions ended. */
  async function endAllSessions(by: Administrator): Promise<number> {
    const ended = await operations.endAllSessions({ by, userId: undefined, now: clock.now() });
    events.publish({ kind: "missed" });
    return ended;
  }

  async function findUser(slug: string) {
    const user = await people.findUserBySlug(slug);
    if (user === undefined) throw userNotFound(slug);
    return user;
  }

  return {
    listUsers,
    showUser,
    disableUser,
    enableUser,
    grantOperator,
    revokeOperator,
    deleteUser,
    listTokens,
    revokeToken,
    endSessions,
    endAllSessions,
  };
}

const soleOwner = (user: string, organizations: readonly string[]) =>
  conflict(
    `${user} is the only owner of ${organizations.join(", ")}. Make another member an owner, or delete the organization, then try again.`,
  );
