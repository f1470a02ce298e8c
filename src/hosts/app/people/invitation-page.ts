import type { Prospect } from "../../../domain/people/invitations.ts";
import type { InvitationWithOrganization, KnownSession } from "../../../domain/people/ports.ts";
import { accountFields, FORM_SCRIPT, formHtml, SIGN_IN } from "../../http/forms.ts";
import { escapeHtml } from "../../http/html.ts";
import { signInPath } from "../../http/page-responses.ts";
import { page } from "../../http/pages.ts";

const organizationPath = (slug: string) => `/-/w/${slug}`;
const nameOf = ({ organization: { displayName, slug } }: InvitationWithOrganization) => displayName ?? slug;
const rolePhrase = (role: string) => (role === "admin" ? "an admin" : `a ${role}`);

const invitedBy = (invitation: InvitationWithOrganization) =>
  `<p>${escapeHtml(invitation.inviterName)} invites you to join ${escapeHtml(nameOf(invitation))} as ${rolePhrase(
    invitation.role,
  )}.</p>`;

/** For whoever is not signed in: an account, or the way to the one they have. */
export const invitationForNewcomers = (
  nonce: string,
  invitation: InvitationWithOrganization,
  secret: string,
  own: string,
) =>
  page(
    `Join ${nameOf(invitation)}`,
    `${invitedBy(invitation)}
<p>If you have an account, <a href="${escapeHtml(signInPath(own))}">sign in</a> first. Else make one here.</p>
${formHtml({
  to: ["/api/auth/accept-invitation", SIGN_IN],
  next: organizationPath(invitation.organization.slug),
  button: "Make account and join",
  hidden: { token: secret },
  fields: accountFields(invitation.email),
})}`,
    { nonce, script: FORM_SCRIPT },
  );

/** For whoever is signed in. */
export function invitationForUsers(
  nonce: string,
  invitation: InvitationWithOrganization,
  secret: string,
  { prospect, user }: { prospect: Prospect; user: KnownSession["user"] },
): string {
  const { organization, email } = invitation;
  const here = `<a href="${organizationPath(organization.slug)}">${escapeHtml(nameOf(invitation))}</a>`;
  const bodies: Readonly<Record<Prospect, () => string>> = {
    open: () => `<p>You are signed in as ${escapeHtml(user.email)}.</p>
${formHtml({
  to: ["/api/org/invitations/accept"],
  next: organizationPath(organization.slug),
  button: "Join",
  hidden: { token: secret },
})}`,
    "member already": () => `<p>You belong to ${here} already. The link stays good for somebody else.</p>`,
    "for somebody else":
      () => `<p>This invitation is for ${escapeHtml(email ?? "")}, and you are signed in as ${escapeHtml(
        user.email,
      )}. Sign out to use it, or ask for another one.</p>
${formHtml({ to: ["/api/auth/sign-out"], next: "/", button: "Sign out", isQuiet: true })}`,
  };
  return page(`Join ${nameOf(invitation)}`, `${invitedBy(invitation)}\n${bodies[prospect]()}`, {
    nonce,
    script: FORM_SCRIPT,
  });
}

/** The same whether the link was used, revoked, has expired or never was. */
export const invitationOverPage = () =>
  page(
    "This invitation is not open",
    "<p>It has been used or taken back, or it has expired. Ask whoever sent it for another one.</p>",
  );
