import {
  acceptInvitationRoute,
  createInvitationRoute,
  type InvitationEntry,
  invitationsRoute,
  revokeInvitationRoute,
} from "../../../contract/people/invitations.ts";
import type { Addresses } from "../../../domain/model/links.ts";
import type { Invitations } from "../../../domain/people/invitations.ts";
import type { Invitation } from "../../../domain/people/ports.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";

export const INVITATION_PATH = "/-/invitation";

export function mountInvitations(
  mount: Mount,
  invitations: Invitations,
  { baseUrl }: Pick<Addresses, "baseUrl">,
): void {
  mount.guarded(invitationsRoute, async (caller, { owner }) => ({
    invitations: (await invitations.list(caller, owner)).map(invitationEntry),
  }));

  mount.guarded(createInvitationRoute, async (caller, wanted) => {
    const { id, secret, email, expiresAt } = await invitations.create(caller, wanted);
    const url = `${baseUrl}${INVITATION_PATH}?token=${secret}`;
    return { id, url, role: wanted.role, email, expires_at: toIso(expiresAt) };
  });

  mount.guarded(revokeInvitationRoute, async (caller, wanted) => {
    await invitations.revoke(caller, wanted);
    return { ok: true };
  });

  mount.guarded(acceptInvitationRoute, async (caller, { token }) => ({
    ok: true,
    owner: await invitations.accept(caller, token),
  }));
}

const invitationEntry = ({ id, role, email, inviterName, createdAt, expiresAt }: Invitation): InvitationEntry => ({
  id,
  role,
  email,
  invited_by: inviterName,
  created_at: toIso(createdAt),
  expires_at: toIso(expiresAt),
});
