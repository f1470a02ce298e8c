import {
  addMemberRoute,
  type MemberEntry,
  membersRoute,
  removeMemberRoute,
  setRoleRoute,
} from "../../../contract/people/members.ts";
import type { ListedMember, Members } from "../../../domain/people/members.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";

export function mountMembers(mount: Mount, members: Members): void {
  mount.guarded(membersRoute, async (caller, { owner }) => ({
    members: (await members.list(caller, owner)).members.map(memberEntry),
  }));

  mount.guarded(addMemberRoute, async (caller, wanted) => ({
    ok: true,
    userId: await members.add(caller, wanted),
    role: wanted.role,
  }));

  mount.guarded(removeMemberRoute, async (caller, wanted) => {
    await members.remove(caller, wanted);
    return { ok: true };
  });

  mount.guarded(setRoleRoute, async (caller, wanted) => {
    await members.setRole(caller, wanted);
    return { ok: true, role: wanted.role };
  });
}

const memberEntry = ({ userId, slug, name, email, role, since }: ListedMember): MemberEntry => ({
  userId,
  slug,
  display_name: name,
  email,
  role,
  since: toIso(since),
});
