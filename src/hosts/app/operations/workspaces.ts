import {
  administeredOrganizationsRoute,
  administeredTokensRoute,
  administeredWorkspacesRoute,
  revokeAnyTokenRoute,
  setPlanRoute,
} from "../../../contract/operations/workspaces.ts";
import { requireOperator } from "../../../domain/model/access.ts";
import type { Cursors } from "../../../domain/model/cursors.ts";
import type { Administration } from "../../../domain/operations/administration.ts";
import type { TokenPlace, WorkspacePlace } from "../../../domain/operations/administration-ports.ts";
import type { Accounts } from "../../../domain/people/accounts.ts";
import type { Sessions } from "../../../domain/people/sessions.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";
import { createPlaces } from "./pages.ts";
import { ADMINISTER } from "./users.ts";

interface Dependencies {
  administration: Administration;
  accounts: Pick<Accounts, "setPlan">;
  sessions: Pick<Sessions, "requireConfirmed">;
  createCursors<Place>(): Cursors<Place>;
}

export function mountWorkspaces(
  mount: Mount,
  { administration, accounts, sessions, createCursors }: Dependencies,
): void {
  const ofOrganizations = createPlaces(createCursors<string>(), "organizations");
  const ofWorkspaces = createPlaces(createCursors<WorkspacePlace>(), "workspaces");
  const ofTokens = createPlaces(createCursors<TokenPlace>(), "tokens");

  mount.guarded(administeredOrganizationsRoute, async (caller, { cursor, ...query }) => {
    const after = ofOrganizations.after(query, cursor);
    const { entries, next } = await administration.listOrganizations(requireOperator(caller), { ...query, after });
    const organizations = entries.map(({ slug, name, plan, members, storedBytes, createdAt }) => ({
      slug,
      display_name: name,
      plan,
      members,
      stored_bytes: storedBytes,
      created_at: toIso(createdAt),
    }));
    return { organizations, next_cursor: ofOrganizations.next(query, next) };
  });

  mount.guarded(administeredWorkspacesRoute, async (caller, { cursor, ...query }) => {
    const after = ofWorkspaces.after(query, cursor);
    const { entries, next } = await administration.listWorkspaces(requireOperator(caller), { ...query, after });
    const workspaces = entries.map(({ slug, kind, name, plan, storedBytes, quota, createdAt }) => ({
      slug,
      kind,
      display_name: name,
      plan,
      stored_bytes: storedBytes,
      quota_bytes: quota,
      created_at: toIso(createdAt),
    }));
    return { workspaces, next_cursor: ofWorkspaces.next(query, next) };
  });

  mount.guarded(setPlanRoute, async (caller, { owner, plan }, session) => {
    sessions.requireConfirmed(session, ADMINISTER);
    requireOperator(caller);
    await accounts.setPlan(owner, plan);
    return { ok: true, plan };
  });

  mount.guarded(administeredTokensRoute, async (caller, { cursor, ...query }) => {
    const after = ofTokens.after(query, cursor);
    const { entries, next } = await administration.listTokens(requireOperator(caller), { ...query, after });
    const tokens = entries.map((token) => ({
      id: token.id,
      name: token.name,
      user: token.userSlug,
      workspace: token.workspaceSlug,
      scopes: token.scopes,
      created_at: toIso(token.createdAt),
      expires_at: token.expiresAt === null ? null : toIso(token.expiresAt),
      last_used_at: token.lastUsedAt === null ? null : toIso(token.lastUsedAt),
    }));
    return { tokens, next_cursor: ofTokens.next(query, next) };
  });

  mount.guarded(revokeAnyTokenRoute, async (caller, { id }, session) => {
    sessions.requireConfirmed(session, ADMINISTER);
    await administration.revokeToken(requireOperator(caller), id);
    return { ok: true };
  });
}
