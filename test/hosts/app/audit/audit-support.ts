import type { AuditFilter } from "../../../../src/domain/audit/ports.ts";
import type { AuditEntry } from "../../../../src/domain/model/audit.ts";
import type { Service } from "../../../support/service.ts";

/** Returns entries of the audit log, newest first, as the database has them. */
async function storedEntries({ build }: Service, filter: AuditFilter = {}): Promise<readonly AuditEntry[]> {
  const { listEntries } = build.store.audit;
  return (await listEntries({ workspaceId: undefined, filter, after: undefined, limit: 1000 })).entries;
}

/** Returns the entries that a request left. */
export async function entriesOf(service: Service, response: Response): Promise<readonly AuditEntry[]> {
  const requestId = response.headers.get("x-request-id");
  return (await storedEntries(service)).filter((entry) => entry.requestId === requestId);
}
