/** Which entries of the audit log to read. Times are milliseconds since 1970. */
export interface AuditSelection {
  workspace?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  item?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
}

/** An entry of the audit log as the API shows it. */
export interface AuditLine {
  at: string;
  action: string;
  workspace: string | null;
  actor: string | null;
  credential: { kind: string; id: string | null; name: string | null };
  subject: string | null;
  details: object;
  address: string | null;
}

/** What the audit command does with the database. */
export interface AuditCommands {
  /** Reads the audit log in pages, newest entry first. */
  readAudit(selection: AuditSelection): AsyncIterable<readonly AuditLine[]>;
}
