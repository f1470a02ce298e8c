import type { AuditEntryView } from "../../../contract/audit/audit.ts";
import type { AuditEntry } from "../../../domain/model/audit.ts";
import { toIso } from "../../http/time.ts";

/** Returns an entry as the API shows it. */
export const auditEntry = (entry: AuditEntry): AuditEntryView => ({
  at: toIso(entry.at),
  action: entry.action,
  workspace: entry.workspace,
  actor: entry.actor,
  actor_id: entry.actorId,
  credential: entry.credential,
  subject: entry.subject,
  subject_id: entry.subjectId,
  code: entry.code,
  title: entry.title,
  details: entry.details,
  request_id: entry.requestId,
  address: entry.address,
});
