import type { KnownSession } from "../../../domain/account-ports.ts";
import type { Membership } from "../../../domain/model.ts";
import { escapeHtml } from "../../html.ts";
import { formHtml, newPasswordField, slugField } from "../forms.ts";
import { capitalized, organizationPath, peoplePage, section, wayBack } from "./look.ts";

const profile = ({ user, caller }: KnownSession) => `<dl>
<dt>Name</dt><dd>${escapeHtml(user.name)}</dd>
<dt>E-mail address</dt><dd>${escapeHtml(user.email)}</dd>
<dt>Short name</dt><dd>${escapeHtml(caller.workspace.slug)}</dd>
</dl>`;

const organizationLine = ({ slug, displayName, role }: Membership) =>
  `<li><div><a href="${organizationPath(slug)}">${escapeHtml(displayName ?? slug)}</a></div> <span>${capitalized(role)}</span></li>`;

function organizationList(memberships: readonly Membership[]): string {
  const organizations = memberships.filter(({ kind }) => kind === "org");
  if (organizations.length === 0) return "<p>You belong to no organization yet.</p>";
  return `<ul>\n${organizations.map(organizationLine).join("\n")}\n</ul>`;
}

const newOrganization = formHtml({
  to: ["/api/orgs/create"],
  next: organizationPath("{slug}"),
  button: "Make organization",
  fields: [
    { name: "name", label: "Name", hint: "As people read it.", autocomplete: "off", more: ' maxlength="120"' },
    slugField,
  ],
});

const password = (email: string) =>
  formHtml({
    to: ["/api/auth/change-password"],
    done: "Your password is changed. You are signed out everywhere else.",
    button: "Change password",
    // So that password managers know whose it is.
    more: `<input hidden autocomplete="username" value="${escapeHtml(email)}">`,
    fields: [
      { name: "currentPassword", label: "Current password", type: "password", autocomplete: "current-password" },
      newPasswordField("newPassword", "New password"),
    ],
  });

const endings = `<p>Signing out everywhere ends your sessions in every browser, this one included.</p>
<div class="row">
${formHtml({ to: ["/api/auth/sign-out"], next: "/-/sign-in", button: "Sign out", isQuiet: true, isInline: true })}
${formHtml({
  to: ["/api/auth/revoke-sessions"],
  next: "/-/sign-in",
  button: "Sign out everywhere",
  isQuiet: true,
  isInline: true,
})}
</div>`;

export const accountPage = (nonce: string, session: KnownSession) =>
  peoplePage(nonce, "Your account", [
    wayBack("/", "Start page"),
    profile(session),
    section("Organizations", organizationList(session.caller.memberships)),
    section("New organization", newOrganization),
    section("Password", password(session.user.email)),
    section("Sessions", endings),
  ]);
