import {
  exportWholeAuditRoute,
  type LastBackupEntry,
  serverStateRoute,
  wholeAuditRoute,
} from "../../../contract/operations/server.ts";
import { requireOperator } from "../../../domain/model/access.ts";
import type { Instant } from "../../../domain/model/entities.ts";
import type { Administration } from "../../../domain/operations/administration.ts";
import type { BackupRun } from "../../../domain/operations/backup/ports.ts";
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
  administration: Pick<Administration, "findLastBackup">;
  readiness: Pick<Readiness, "report">;
  server: ServerFacts;
}

export function mountServer(mount: Mount, { audit, administration, readiness, server }: Dependencies): void {
  mount.guarded(serverStateRoute, async (caller) => {
    const operator = requireOperator(caller);
    const [{ isReady, parts }, lastBackup] = await Promise.all([
      readiness.report(),
      administration.findLastBackup(operator),
    ]);
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
      last_backup: lastBackup === undefined ? null : backupEntry(lastBackup),
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

const backupEntry = (run: BackupRun): LastBackupEntry => ({
  target: run.target,
  state: run.state,
  started_at: toIso(run.startedAt),
  finished_at: run.finishedAt === undefined ? null : toIso(run.finishedAt),
  objects: run.objects ?? null,
  bytes: run.bytes ?? null,
  copied_bytes: run.copiedBytes ?? null,
  problem: run.problem ?? null,
});
