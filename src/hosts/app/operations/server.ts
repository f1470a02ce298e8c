import { exportWholeAuditRoute, serverStateRoute, wholeAuditRoute } from "../../../contract/operations/server.ts";
import { requireOperator } from "../../../domain/model/access.ts";
import type { Instant } from "../../../domain/model/entities.ts";
import type { Services } from "../../../domain/services.ts";
import type { Readiness } from "../../../observability/readiness.ts";
import type { RecentError } from "../../../observability/recent-errors.ts";
import { linesOf } from "../../http/json-stream.ts";
import { toIso } from "../../http/time.ts";
import { auditEntry } from "../audit/entry.ts";
import type { Mount } from "../mount.ts";

/** What this replica says about itself. */
export interface ServerFacts {
  version: string;
  replica: string;
  startedAt: Instant;
  /** Returns its last errors, newest first. */
  recentErrors(): readonly RecentError[];
}

interface Dependencies extends Pick<Services, "audit"> {
  readiness: Pick<Readiness, "report">;
  server: ServerFacts;
}

export function mountServer(mount: Mount, { audit, readiness, server }: Dependencies): void {
  mount.guarded(serverStateRoute, async (caller) => {
    requireOperator(caller);
    const { isReady, parts } = await readiness.report();
    return {
      version: server.version,
      replica: server.replica,
      started_at: toIso(server.startedAt),
      is_ready: isReady,
      parts: parts.map(({ name, state, since, detail }) => ({
        name,
        state,
        since: toIso(since),
        detail: detail ?? null,
      })),
      failures: server.recentErrors().map(({ at, message, detail, requestId }) => ({
        at: toIso(at),
        message,
        detail,
        request_id: requestId,
      })),
    };
  });

  mount.guarded(wholeAuditRoute, async (caller, { limit, cursor, ...filter }) => {
    requireOperator(caller);
    const { entries, nextCursor } = await audit.pageForOperator({ filter, cursor, limit });
    return { entries: entries.map(auditEntry), next_cursor: nextCursor };
  });

  mount.guarded(exportWholeAuditRoute, async (caller, filter) => {
    requireOperator(caller);
    return linesOf(audit.pagesForOperator(filter), auditEntry, "vitrine-audit.jsonl");
  });
}
