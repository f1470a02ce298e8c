import type { Membership } from "../../domain/model/entities.ts";

/** The columns of a membership, where workspaces and memberships are joined. */
export const MEMBERSHIP_COLUMNS = [
  "workspaces.id",
  "workspaces.slug",
  "workspaces.kind",
  "workspaces.display_name as displayName",
  "workspaces.plan",
  "memberships.role",
] as const;

/** The membership among a row's other columns. */
export const toMembership = ({ id, slug, kind, displayName, plan, role }: Membership): Membership => ({
  id,
  slug,
  kind,
  displayName,
  plan,
  role,
});
