import type { AuditEntryView } from "../../client/routes.ts";
import { describeExactTime } from "../../look/time.ts";

/** What someone did, as in "ada published weekly-sales". */
const PHRASES: Readonly<Record<string, string>> = {
  "report.publish": "published",
  "report.rename": "renamed",
  "report.set_visibility": "changed the visibility of",
  "report.set_storage": "changed the storage of",
  "report.set_title": "changed the title of",
  "report.roll_back": "rolled back",
  "report.delete": "deleted",
  "report.restore": "restored",
  "report.purge": "permanently deleted",
  "report.protect": "protected",
  "report.unprotect": "ended the protection of",
  "report.share": "shared",
  "report.unshare": "stopped sharing",
  "report.request_access": "asked for access to",
  "report.decline_access": "declined access to",
  "report.transfer": "transferred",
  "version.set_visibility": "changed the visibility of a version of",
  "version.set_storage": "changed the storage of a version of",
  "version.delete": "deleted a version of",
  "version.restore": "restored a version of",
  "version.purge": "permanently deleted a version of",
  "version.protect": "protected a version of",
  "version.unprotect": "ended the protection of a version of",
  "trash.empty": "emptied the trash",
  "trash.expire": "deleted expired entries of the trash",
  "retention.set": "set a retention rule of",
  "retention.remove": "removed a retention rule of",
  "retention.apply": "applied retention rules to",
  "guest_link.create": "created a guest link to",
  "guest_link.update": "changed a guest link to",
  "guest_link.revoke": "revoked a guest link to",
  "token.create": "created access token",
  "token.revoke": "revoked access token",
  "app.register": "registered app",
  "app.connect": "connected app",
  "app.disconnect": "disconnected app",
  "device.decline": "declined the sign-in of",
  "user.create": "created user",
  "user.disable": "disabled user",
  "user.enable": "enabled user",
  "user.delete": "deleted user",
  "user.grant_operator": "granted the operator role to",
  "user.revoke_operator": "revoked the operator role of",
  "organization.create": "created organization",
  "organization.close": "closed organization",
  "organization.delete": "deleted workspace",
  "workspace.rename": "changed the name of",
  "workspace.set_plan": "changed the plan of",
  "workspace.set_default_visibility": "changed the default visibility of",
  "workspace.set_seen_by": "changed what is recorded about readers of",
  "member.add": "added member",
  "member.set_role": "changed the role of",
  "member.remove": "removed member",
  "invitation.create": "invited",
  "invitation.revoke": "revoked the invitation of",
  "invitation.accept": "accepted an invitation as",
  "session.start": "signed in",
  "session.confirm": "confirmed their identity",
  "session.end": "signed out",
  "session.end_all": "signed everyone out",
  "session.fail": "failed to sign in as",
  "password.change": "changed the password of",
  "password.create_reset_link": "created a password reset link for",
  "identity.link": "linked single sign-on to",
};

/** Kinds of actions to filter by. */
export const ACTION_KINDS = [
  { value: "", label: "All actions" },
  { value: "report", label: "Reports" },
  { value: "version", label: "Versions" },
  { value: "trash", label: "Trash" },
  { value: "retention", label: "Retention" },
  { value: "guest_link", label: "Guest links" },
  { value: "member", label: "Members" },
  { value: "invitation", label: "Invitations" },
  { value: "token", label: "Access tokens" },
  { value: "app", label: "Connected apps" },
  { value: "session", label: "Sign-ins" },
  { value: "password", label: "Passwords" },
  { value: "workspace", label: "Workspace settings" },
] as const;

/** Kinds of actions that only operators see outside of a workspace. */
export const OPERATOR_KINDS = [
  ...ACTION_KINDS,
  { value: "user", label: "Users" },
  { value: "organization", label: "Organizations" },
] as const;

/** Returns who acted. */
export function describeActor({ action, actor, credential: { kind, name } }: AuditEntryView): string {
  if (actor !== null && action !== "session.fail") return actor;
  if (kind === "command line") return name === null ? "An administrator" : `An administrator (${name})`;
  return kind === "server" ? "The server" : "Someone";
}

export const describeAction = ({ action }: AuditEntryView): string => PHRASES[action] ?? action;

/** Returns what the action was about; undefined if people acted on themselves. */
export function describeSubject({ action, actor, subject }: AuditEntryView): string | undefined {
  const isOwn = subject === actor && action.startsWith("session.") && action !== "session.fail";
  return subject === null || isOwn ? undefined : subject;
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  session: "in a browser",
  token: "with access token",
  password: "with a password",
  "single sign-on": "with single sign-on",
};

/** Returns the credential that was used; undefined if the actor says it. */
export function describeCredential({ credential: { kind, name } }: AuditEntryView): string | undefined {
  const phrase = CREDENTIALS[kind];
  return phrase !== undefined && kind === "token" && name !== null ? `${phrase} ${name}` : phrase;
}

/** Details that the sentence says, or that only programs need. */
const UNSHOWN = ["from", "to", "user_agent", "for_deletion", "link", "comment"];

/** What details say that are true or false. Where there are no words for one of them, it goes without saying. */
const MARKS: Readonly<Record<string, { yes?: string; no?: string }>> = {
  is_version: { yes: "only one version" },
  is_requested: { yes: "as requested" },
  is_reset: { yes: "as in the document" },
  has_password: { yes: "with a password" },
  trash: { yes: "to the trash", no: "permanently" },
  other_credentials_removed: { yes: "other ways to sign in removed" },
};

type Detail = AuditEntryView["details"][string];

/** Returns the details in words, such as "private → public" and "role: admin". */
export function describeDetails({ details }: Pick<AuditEntryView, "details">): string[] {
  const { from, to } = details;
  const change = from === undefined || to === undefined ? [] : [`${inWords(from)} → ${inWords(to)}`];
  const others = Object.entries(details).filter(([name]) => !UNSHOWN.includes(name) && !name.startsWith(BEFORE));
  const texts = others.map(([name, value]) => describeDetail(inLowerCase(name), value, details[BEFORE + name]));
  return [...change, ...texts.filter((text) => text !== undefined)];
}

/** What the name of a detail begins with that says what another one was before. */
const BEFORE = "from_";

/** Returns a name as the API writes it. Some were once recorded in another way. */
const inLowerCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns a detail in words; undefined if it says nothing or hasn't changed. */
function describeDetail(name: string, value: Detail, before: Detail | undefined): string | undefined {
  const mark = MARKS[name];
  if (mark !== undefined && typeof value === "boolean") return value ? mark.yes : mark.no;
  const label = name.replace(/_at$/, "").replaceAll("_", " ");
  if (before !== undefined) return value === before ? undefined : `${label}: ${inWords(before)} → ${inWords(value)}`;
  return value === null ? undefined : `${label}: ${inWords(value)}`;
}

const TIME = /^\d{4}-\d\d-\d\dT/;

function inWords(value: Detail): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" && TIME.test(value)) return describeExactTime(Date.parse(value));
  return Array.isArray(value) ? value.join(", ") : String(value);
}
