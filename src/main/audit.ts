import type { AuditCommands } from "../cli/audit-commands.ts";
import type { AuditStore } from "../domain/audit/ports.ts";

/** Creates the function with which the audit command reads the log. */
export const createAuditReader = (store: { audit: AuditStore }): AuditCommands["readAudit"] =>
  async function* (selection) {
    const [{ createOperatorReading }, { auditEntry }] = await Promise.all([
      import("../domain/audit/audit.ts"),
      import("../hosts/app/audit/entry.ts"),
    ]);
    for await (const page of createOperatorReading(store.audit)(selection)) yield page.map(auditEntry);
  };
