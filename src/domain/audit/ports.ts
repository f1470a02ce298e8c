import type { AuditEntry, AuditEvent } from "../model/audit.ts";
import type { Instant } from "../model/entities.ts";

/** What a reader of the audit log asks for. */
export interface AuditFilter {
  /** The slug of a workspace, for operators, whose readings aren't limited to one. */
  workspace?: string | undefined;
  /** The slug of the user who acted. */
  actor?: string | undefined;
  /** An action, such as `report.delete`, or its noun. */
  action?: string | undefined;
  /** The name of a report, the code of a version, or another subject. */
  item?: string | undefined;
  since?: Instant | undefined;
  until?: Instant | undefined;
}

/** The place of an entry in the order of the log. */
export interface AuditPlace {
  at: Instant;
  id: number;
}

export interface AuditPage {
  /** Newest first. */
  entries: readonly AuditEntry[];
  /** Where to continue; undefined at the end. */
  next: AuditPlace | undefined;
}

/** A failed attempt to sign in. */
export interface SignInFailure {
  email: string;
  /** Entries of failures that the account may have since `since`. More are not recorded. */
  most: number;
  since: Instant;
}

/** The database access of this capability. */
export interface AuditStore {
  /**
   * Returns the entries of a workspace, or of all if it is undefined, older than a place. Looks at a limited number of
   * entries, so a page can be short, or empty, before the end.
   */
  listEntries(request: {
    workspaceId: string | undefined;
    filter: AuditFilter;
    after: AuditPlace | undefined;
    limit: number;
  }): Promise<AuditPage>;
  /** Records a failure of an account that exists, unless it has too many already. */
  addSignInFailure(failure: SignInFailure): Promise<AuditEvent | undefined>;
  /** Deletes up to `limit` entries from before `before` and returns their number. */
  removeExpired(request: { before: Instant; limit: number }): Promise<number>;
}
