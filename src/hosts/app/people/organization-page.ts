import { governs } from "../../../domain/access.ts";
import type { Invitation } from "../../../domain/member-ports.ts";
import type { ListedMember } from "../../../domain/members.ts";
import { INVITED_ROLES, type Membership, ROLES, type Role } from "../../../domain/model.ts";
import { escapeHtml } from "../../html.ts";
import { formHtml } from "../forms.ts";
import { toIso } from "../time.ts";
import { ACCOUNT_PATH, capitalized, organizationPath, peoplePage, section, selectHtml, wayBack } from "./look.ts";

/** Shows a new invitation's link, which cannot be had again, and brings the list below up to date. */
const SCRIPT = `
const result = document.querySelector(".result");
addEventListener("sent", async ({ detail }) => {
  const field = result.querySelector("input");
  result.hidden = false;
  field.value = detail.url;
  result.querySelector("[role=status]").textContent = "";
  field.focus();
  field.select();
  const text = await (await fetch(location)).text();
  // The part alone: the style of the new page has a nonce that this page's policy does not know.
  const [part] = /<section id="open">[^]*?<\\/section>/.exec(text);
  const fresh = new DOMParser().parseFromString(part, "text/html");
  document.querySelector("#open").replaceWith(fresh.querySelector("#open"));
  enable();
});
result?.querySelector("button").addEventListener("click", async () => {
  const field = result.querySelector("input");
  const status = result.querySelector("[role=status]");
  try {
    await navigator.clipboard.writeText(field.value);
    status.textContent = "Copied.";
  } catch {
    field.select();
    status.textContent = "It is selected; copy it by hand.";
  }
});
`;

export interface OrganizationView {
  organization: Membership;
  members: readonly ListedMember[];
  /** Of whoever looks at it. */
  userId: string;
  invitations: readonly Invitation[];
}

export function organizationPage(nonce: string, view: OrganizationView): string {
  const { organization, invitations } = view;
  const { slug, displayName, role } = organization;
  const parts = [
    wayBack(ACCOUNT_PATH, "Your account"),
    `<p>Short name: ${slug}. You are ${role === "member" ? "a member" : `an ${role}`}.</p>`,
    section("Members", `<ul>\n${view.members.map((member) => memberLine(member, view)).join("\n")}\n</ul>`),
  ];
  if (governs(organization)) {
    parts.push(section("Invite somebody", invitationForm(slug)));
    parts.push(section("Open invitations", invitationList(invitations, slug), "open"));
  }
  return peoplePage(nonce, displayName ?? slug, parts, SCRIPT);
}

function memberLine(member: ListedMember, view: OrganizationView): string {
  const { slug, name, email, role } = member;
  const known = [name === null ? undefined : slug, email].filter((text) => typeof text === "string");
  const about = known.length === 0 ? "" : `<small>${known.map(escapeHtml).join(" · ")}</small>`;
  const you = member.userId === view.userId ? " (you)" : "";
  return `<li><div><strong>${escapeHtml(name ?? slug)}</strong>${you}${about}</div>
<div class="acts">${memberActs(member, view) || `<span>${capitalized(role)}</span>`}</div></li>`;
}

/** What the reader may do with a member; the server asks again. */
function memberActs(member: ListedMember, { organization, members, userId }: OrganizationView): string {
  const { slug: owner, role: own } = organization;
  const isLastOwner = member.role === "owner" && members.filter(({ role }) => role === "owner").length === 1;
  const mayChange = own === "owner" || (own === "admin" && member.role !== "owner");
  if (isLastOwner) return "";
  if (!mayChange)
    return member.userId === userId ? `<span>${capitalized(member.role)}</span> ${leaving(owner, userId)}` : "";
  const roles = ROLES.filter((role) => own === "owner" || role !== "owner");
  return `${roleForm(owner, member, roles)}
${member.userId === userId ? leaving(owner, userId) : removal(owner, member)}`;
}

const nameOf = ({ name, slug }: ListedMember) => name ?? slug;

const roleForm = (owner: string, member: ListedMember, roles: readonly Role[]) =>
  formHtml({
    to: ["/api/org/members/set-role"],
    next: organizationPath(owner),
    button: "Save",
    buttonName: `Save the role of ${nameOf(member)}`,
    hidden: { owner, userId: member.userId },
    more: selectHtml("role", roles, member.role, `Role of ${nameOf(member)}`, false),
    isQuiet: true,
    isInline: true,
  });

const removal = (owner: string, member: ListedMember) =>
  formHtml({
    to: ["/api/org/members/remove"],
    next: organizationPath(owner),
    confirm: `Remove ${nameOf(member)} from ${owner}? They lose its reports at once.`,
    button: "Remove",
    buttonName: `Remove ${nameOf(member)}`,
    hidden: { owner, userId: member.userId },
    isQuiet: true,
    isInline: true,
  });

const leaving = (owner: string, userId: string) =>
  formHtml({
    to: ["/api/org/members/remove"],
    next: ACCOUNT_PATH,
    confirm: `Leave ${owner}? You lose its reports at once.`,
    button: "Leave",
    hidden: { owner, userId },
    isQuiet: true,
    isInline: true,
  });

const invitationForm = (owner: string) => `<p>One person joins by the link, within seven days.</p>
${formHtml({
  to: ["/api/org/invitations/create"],
  done: "",
  button: "Make a link",
  hidden: { owner },
  more: selectHtml("role", INVITED_ROLES, "member", "Role"),
  fields: [
    {
      name: "email",
      label: "E-mail address",
      hint: "Then the link is for nobody else. Optional.",
      type: "email",
      autocomplete: "off",
      isOptional: true,
    },
  ],
})}
<div class="result" hidden>
<label>Invitation link <small>Shown this once. Send it to whom you invite.</small>
<input readonly></label>
<p role="status"></p>
<button type="button">Copy link</button>
</div>`;

function invitationList(invitations: readonly Invitation[], owner: string): string {
  if (invitations.length === 0) return "<p>There are none.</p>";
  return `<ul>\n${invitations.map((invitation) => invitationLine(invitation, owner)).join("\n")}\n</ul>`;
}

const dayOf = (instant: number) => toIso(instant).slice(0, 10);
const dayHtml = (instant: number) => `<time>${dayOf(instant)}</time>`;

const invitationLine = ({ id, role, email, inviterName, createdAt, expiresAt }: Invitation, owner: string) =>
  `<li><div>${escapeHtml(email ?? "Whoever has the link")}, as ${role}<small>Made by ${escapeHtml(
    inviterName,
  )} on ${dayHtml(createdAt)}, good until ${dayHtml(expiresAt)}</small></div>
<div class="acts">${formHtml({
    to: ["/api/org/invitations/revoke"],
    next: organizationPath(owner),
    button: "Revoke",
    buttonName: `Revoke the invitation for ${email ?? "whoever has the link"}, made on ${dayOf(createdAt)}`,
    hidden: { owner, id },
    isQuiet: true,
    isInline: true,
  })}</div></li>`;
