import type { Prospect } from "../../../domain/people/invitations.ts";
import type { InvitationWithOrganization, KnownSession } from "../../../domain/people/ports.ts";
import { escapeHtml } from "../../../look/html.ts";
import { accountFields, FORM_SCRIPT, formHtml, SIGN_IN } from "../../http/forms.ts";
import { signInPath } from "../../http/page-responses.ts";
import { page } from "../../http/pages.ts";

const organizationPath = (slug: string) => `/-/w/${slug}`;
const nameOf = ({ organization: { displayName, slug } }: InvitationWithOrganization) => displayName ?? slug;
const rolePhrase = (role: string) => (role === "admin" ? "an admin" : `a ${role}`);

const invitedBy = (invitation: InvitationWithOrganization) =>
  `<p>${escapeHtml(invitation.inviterName)} invites you to join ${escapeHtml(nameOf(invitation))} as ${rolePhrase(
    invitation.role,
  )}.</p>`;

/** Returns the page for people who are not signed in. They create an account or sign in. */
export const invitationForNewcomers = (
  nonce: string,
  invitation: InvitationWithOrganization,
  secret: string,
  own: string,
) =>
  page(
    `Join ${nameOf(invitation)}`,
    `${invitedBy(invitation)}
<p>Create an account to join. Already have one? <a href="${escapeHtml(signInPath(own))}">Sign in</a>.</p>
${formHtml({
  to: ["/api/auth/accept-invitation", SIGN_IN],
  next: organizationPath(invitation.organization.slug),
  button: "Create account and join",
  hidden: { token: secret },
  fields: accountFields(invitation.email),
})}`,
    { nonce, script: FORM_SCRIPT },
  );

/** Returns the page for signed-in users. */
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
    "already a member": () =>
      `<p>You're already a member of ${here}. This invitation is still valid for another person.</p>`,
    "for another address":
      () => `<p>This invitation is for ${escapeHtml(email ?? "")}, but you are signed in as ${escapeHtml(
        user.email,
      )}. Sign out to use it, or ask for a new invitation.</p>
${formHtml({ to: ["/api/auth/sign-out"], next: "/", button: "Sign out", isQuiet: true })}`,
  };
  return page(`Join ${nameOf(invitation)}`, `${invitedBy(invitation)}\n${bodies[prospect]()}`, {
    nonce,
    script: FORM_SCRIPT,
  });
}

/** Returns one page for invitations that were used or revoked, have expired, or never existed. */
export const invitationOverPage = () =>
  page(
    "This invitation no longer works",
    "<p>It was used or revoked, or it has expired. Ask the person who sent it for a new one.</p>",
  );
