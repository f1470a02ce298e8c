import type { Generated } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";

/** Changes that people made. Rows are only added, except that old ones expire; triggers refuse everything else. */
interface AuditEntries {
  /** Orders entries of the same time. */
  id: Generated<number>;
  at: Instant;
  action: string;
  /** Null for what concerns no workspace. Not a reference, because entries outlive workspaces. */
  workspace_id: string | null;
  workspace: string | null;
  actor_id: string | null;
  actor: string | null;
  credential: string;
  credential_id: string | null;
  credential_name: string | null;
  request_id: string | null;
  address: string | null;
  subject: string | null;
  subject_id: string | null;
  code: string | null;
  title: string | null;
  /** JSON: what else the action says. */
  details: string;
}

/** The single row with the time before which entries may be deleted. */
interface AuditHorizon {
  number: number;
  deletable_before: Instant;
}

declare module "../engine/schema.ts" {
  interface Schema {
    audit_entries: AuditEntries;
    audit_horizon: AuditHorizon;
  }
}
