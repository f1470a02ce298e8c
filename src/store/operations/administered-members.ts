import type { Instant, Role } from "../../domain/model/entities.ts";
import type { MembershipChange } from "../../domain/operations/administration-ports.ts";
import { checkMemberChange, noSuchMember } from "../../domain/people/members.ts";
import type { Database } from "../engine/schema.ts";
import { addMember } from "../people/accounts.ts";
import { lockWorkspaces } from "./workspace-changes.ts";

/** Adds, changes or removes a member with an owner's rights, so that the last owner stays. */
export async function changeMembership(
  database: Database,
  { workspaceId, userId, to, now }: MembershipChange & { now: Instant },
): Promise<void> {
  await lockWorkspaces(database, [workspaceId]);
  const rows = await database
    .selectFrom("memberships")
    .select(["user_id", "role"])
    .where("workspace_id", "=", workspaceId)
    .where((where) => where.or([where("user_id", "=", userId), where("role", "=", "owner")]))
    .execute();
  const from: Role | undefined = rows.find(({ user_id }) => user_id === userId)?.role;
  const owners = rows.filter(({ role }) => role === "owner").length;
  checkMemberChange({ actor: "owner", isOwn: false, from, to: to ?? undefined, owners });
  if (from === undefined) {
    if (to === null) throw noSuchMember();
    return addMember(database, { workspaceId, userId, role: to, now });
  }
  const member = { workspace_id: workspaceId, user_id: userId };
  if (to === null) {
    await database
      .deleteFrom("memberships")
      .where(({ and }) => and(member))
      .execute();
  } else {
    await database
      .updateTable("memberships")
      .set({ role: to })
      .where(({ and }) => and(member))
      .execute();
  }
}
