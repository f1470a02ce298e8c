import type { Instant } from "./entities.ts";

/** What the audit log records, as noun and verb. */
export type AuditAction =
  | "report.publish"
  | "report.rename"
  | "report.set_visibility"
  | "report.set_storage"
  | "report.set_title"
  | "report.roll_back"
  | "report.delete"
  | "report.restore"
  | "report.share"
  | "report.unshare"
  | "report.request_access"
  | "report.decline_access"
  | "report.purge"
  | "report.protect"
  | "report.unprotect"
  | "report.transfer"
  | "version.set_visibility"
  | "version.set_storage"
  | "version.delete"
  | "version.restore"
  | "version.purge"
  | "version.protect"
  | "version.unprotect"
  | "trash.empty"
  | "trash.expire"
  | "retention.set"
  | "retention.remove"
  | "retention.apply"
  | "guest_link.create"
  | "guest_link.update"
  | "guest_link.revoke"
  | "comment.delete"
  | "comments.turn_on"
  | "comments.turn_off"
  | "token.create"
  | "token.revoke"
  | "app.register"
  | "app.connect"
  | "app.disconnect"
  | "user.create"
  | "user.disable"
  | "user.enable"
  | "user.delete"
  | "user.grant_operator"
  | "user.revoke_operator"
  | "organization.create"
  | "organization.close"
  | "organization.delete"
  | "workspace.rename"
  | "workspace.set_plan"
  | "workspace.set_default_visibility"
  | "workspace.set_seen_by"
  | "member.add"
  | "member.set_role"
  | "member.remove"
  | "invitation.create"
  | "invitation.revoke"
  | "invitation.accept"
  | "session.start"
  | "session.confirm"
  | "session.end"
  | "session.end_all"
  | "session.fail"
  | "password.change"
  | "password.create_reset_link"
  | "identity.link";

/** How someone proved who they are. `none`: a visitor. `server`: the server itself, without a request. */
export type CredentialKind = "session" | "token" | "password" | "single sign-on" | "command line" | "none" | "server";

/** Who asked for a change, and how. */
export interface Origin {
  /** Null if the request identifies no user. */
  actor: { id: string; slug: string } | null;
  credential: { kind: CredentialKind; id: string | null; name: string | null };
  requestId: string | null;
  /** The client's address. */
  address: string | null;
}

/** Who caused a write, and when. */
export interface Cause extends Origin {
  at: Instant;
}

export type AuditDetails = Readonly<Record<string, string | number | boolean | null | string[]>>;

/** A change, in the words of the audit log. Ids and labels are those at the time of the change. */
export interface AuditEvent {
  action: AuditAction;
  /** The workspace whose owners may read the entry; null if only operators may. */
  workspaceId: string | null;
  /** The slug of the workspace, if it is deleted by the change. */
  workspace?: string | null;
  /** The user who acted, if the origin names no user, because they weren't signed in yet. */
  actorId?: string | undefined;
  /** A name, slug or email address that people recognize. */
  subject: string | null;
  subjectId?: string | number | null;
  /** The code of a version. */
  code?: string | null;
  /** The title of a report, which only owners and admins of its workspace may see. */
  title?: string | null;
  details?: AuditDetails;
}

/** An event with its origin, as the audit log stores it. */
export interface AuditEntry {
  at: Instant;
  action: string;
  workspaceId: string | null;
  workspace: string | null;
  actorId: string | null;
  actor: string | null;
  credential: { kind: string; id: string | null; name: string | null };
  requestId: string | null;
  address: string | null;
  subject: string | null;
  subjectId: string | null;
  code: string | null;
  title: string | null;
  details: AuditDetails;
}
