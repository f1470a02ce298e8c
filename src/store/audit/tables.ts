import type { Generated } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";
import type { EntryRow } from "./rows.ts";

/** Changes that people made. Rows are only added, except that old ones expire; triggers refuse everything else. */
interface AuditEntries extends EntryRow {
  /** Orders entries of the same time. */
  id: Generated<number>;
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
