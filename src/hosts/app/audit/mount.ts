import { auditRoute, exportAuditRoute } from "../../../contract/audit/audit.ts";
import type { Services } from "../../../domain/services.ts";
import { linesOf } from "../../http/json-stream.ts";
import type { Mount } from "../mount.ts";
import { auditEntry } from "./entry.ts";

export function mountRoutes(mount: Mount, { audit }: Pick<Services, "audit">): void {
  mount.guarded(auditRoute, async (caller, { owner, limit, cursor, ...filter }) => {
    const { entries, nextCursor } = await audit.page(caller, { owner, filter, cursor, limit });
    return { entries: entries.map(auditEntry), next_cursor: nextCursor };
  });

  mount.guarded(exportAuditRoute, async (caller, { owner, ...filter }) => {
    const pages = audit.pages(caller, { owner, filter });
    return linesOf(pages, auditEntry, `${owner}-audit.jsonl`);
  });
}
