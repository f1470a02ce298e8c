import {
  type AdministeredUserEntry,
  administeredUsersRoute,
  createResetLinkRoute,
  disableUserRoute,
  enableUserRoute,
  endUserSessionsRoute,
  setOperatorRoute,
} from "../../../contract/operations/users.ts";
import { requireOperator } from "../../../domain/model/access.ts";
import type { Cursors } from "../../../domain/model/cursors.ts";
import type { Administration } from "../../../domain/operations/administration.ts";
import type { AdministeredUser } from "../../../domain/operations/administration-ports.ts";
import type { PasswordResets } from "../../../domain/people/password-resets.ts";
import type { Sessions } from "../../../domain/people/sessions.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";
import { createPlaces } from "./pages.ts";

interface Dependencies {
  administration: Administration;
  passwordResets: Pick<PasswordResets, "createLink">;
  sessions: Pick<Sessions, "requireConfirmed">;
  createCursors<Place>(): Cursors<Place>;
}

/** Completes "Confirm your identity or sign in again to". */
export const ADMINISTER = "administer the server";

export function mountUsers(
  mount: Mount,
  { administration, passwordResets, sessions, createCursors }: Dependencies,
): void {
  const places = createPlaces(createCursors<string>(), "users");

  mount.guarded(administeredUsersRoute, async (caller, { cursor, ...query }) => {
    const after = places.after(query, cursor);
    const { entries, next } = await administration.listUsers(requireOperator(caller), { ...query, after });
    return { users: entries.map(userEntry), next_cursor: places.next(query, next) };
  });

  mount.guarded(disableUserRoute, async (caller, { user }, session) => {
    sessions.requireConfirmed(session, ADMINISTER);
    await administration.disableUser(requireOperator(caller), user);
    return { ok: true };
  });

  mount.guarded(enableUserRoute, async (caller, { user }, session) => {
    sessions.requireConfirmed(session, ADMINISTER);
    await administration.enableUser(requireOperator(caller), user);
    return { ok: true };
  });

  mount.guarded(setOperatorRoute, async (caller, { user, is_operator }, session) => {
    sessions.requireConfirmed(session, ADMINISTER);
    const by = requireOperator(caller);
    await (is_operator ? administration.grantOperator(by, user) : administration.revokeOperator(by, user));
    return { ok: true };
  });

  mount.guarded(createResetLinkRoute, async (caller, { user }, session) => {
    sessions.requireConfirmed(session, ADMINISTER);
    const { id } = await administration.showUser(requireOperator(caller), user);
    return { url: await passwordResets.createLink(id, { isMailed: false }) };
  });

  mount.guarded(endUserSessionsRoute, async (caller, { user }, session) => {
    sessions.requireConfirmed(session, ADMINISTER);
    return { ok: true, ended: await administration.endSessions(requireOperator(caller), user) };
  });
}

const userEntry = (user: AdministeredUser): AdministeredUserEntry => ({
  slug: user.slug,
  email: user.email,
  display_name: user.name,
  is_operator: user.isOperator,
  disabled_at: user.disabledAt === null ? null : toIso(user.disabledAt),
  plan: user.plan,
  stored_bytes: user.storedBytes,
  last_seen_at: user.lastSeenAt === null ? null : toIso(user.lastSeenAt),
  created_at: toIso(user.createdAt),
});
