import type { Membership } from "../../domain/model/entities.ts";

/** The columns of a membership in a join of workspaces and memberships. */
export const MEMBERSHIP_COLUMNS = [
  "workspaces.id",
  "workspaces.slug",
  "workspaces.kind",
  "workspaces.display_name as displayName",
  "workspaces.plan",
  "memberships.role",
] as const;

/** Returns the membership from a row with other columns. */
export const toMembership = ({ id, slug, kind, displayName, plan, role }: Membership): Membership => ({
  id,
  slug,
  kind,
  displayName,
  plan,
  role,
});
