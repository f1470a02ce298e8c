import * as z from "zod";
import { BACKUP_STATES } from "../../domain/operations/backup/ports.ts";
import { auditFilter, auditPage } from "../audit/audit.ts";
import { instant, nothing, pageLimit, text } from "../model/common.ts";
import { byteCount } from "../model/fields.ts";
import { defineDownload, defineRoute } from "../model/route.ts";
import { ADMINISTERS, cursor } from "./common.ts";

const part = z
  .object({
    name: z.string().meta({ description: "The part of the server.", examples: ["database"] }),
    state: z
      .enum(["ok", "degraded", "failed"])
      .meta({ description: "The server isn't ready while a part has failed." }),
    since: instant,
    detail: z.string().nullable().meta({ description: "What is wrong, or what the part last did. Null if unknown." }),
  })
  .meta({ id: "ServerPart", description: "A part of the server, such as the database, the sweep or a backup." });

export type ServerPartEntry = z.output<typeof part>;

const failure = z
  .object({
    at: instant,
    message: z.string().meta({ description: "What failed." }),
    detail: z.string().nullable().meta({ description: "The error's message. Null if the failure had no error." }),
    request_id: z.string().nullable().meta({ description: "The `X-Request-Id` of the request. Null for other work." }),
  })
  .meta({ id: "ServerFailure", description: "An error that the server logged." });

export type ServerFailureEntry = z.output<typeof failure>;

const backup = z
  .object({
    target: z.string().meta({ description: "Where the backup is, without credentials.", examples: ["/mnt/backups"] }),
    state: z.enum(BACKUP_STATES),
    started_at: instant,
    finished_at: instant.nullable().meta({ description: "Null while the backup runs, or if it was stopped." }),
    objects: z.int().min(0).nullable().meta({ description: "Number of objects. Null unless it succeeded." }),
    bytes: byteCount.nullable().meta({ description: "The size of the backup in bytes. Null unless it succeeded." }),
    copied_bytes: byteCount
      .nullable()
      .meta({ description: "The bytes that earlier backups didn't contain. Null unless it succeeded." }),
    problem: z
      .string()
      .nullable()
      .meta({ description: "Why the backup failed, or what is missing in it. Null if it is complete." }),
  })
  .meta({ id: "LastBackup", description: "The backup that was started last, by a schedule or by hand." });

export type LastBackupEntry = z.output<typeof backup>;

export const serverStateRoute = defineRoute({
  ...ADMINISTERS,
  method: "GET",
  path: "/api/admin/server",
  id: "serverState",
  summary: "Describe the server",
  description:
    "Returns the state of the server's parts, sweep and background tasks included, and its last errors. Both are those of the replica that answers; its errors since it started, at most 100. The log has all of them.",
  query: nothing,
  body: nothing,
  response: z
    .object({
      version: z.string().meta({ description: "The version of Vitrine.", examples: ["0.1.0"] }),
      replica: z.string().meta({ description: "The host name of the replica." }),
      started_at: instant,
      is_ready: z.boolean().meta({ description: "Whether the server accepts requests from a load balancer." }),
      parts: z.array(part).meta({ description: "The parts of the server." }),
      last_backup: backup
        .nullable()
        .meta({ description: "The last backup of the installation. Null if there was none." }),
      failures: z.array(failure).meta({ description: "The last errors, newest first." }),
    })
    .meta({ id: "ServerState" }),
  failures: {},
});

const workspace = text(100).optional().meta({ description: "Only changes in this workspace, by slug." });

export const wholeAuditRoute = defineRoute({
  ...ADMINISTERS,
  method: "GET",
  path: "/api/admin/audit",
  id: "wholeAudit",
  summary: "Read the audit log of the whole server",
  description:
    "Returns who changed what, newest first, in all workspaces and outside of them, with client addresses but without titles of reports. With a filter, a page can have fewer entries than `limit`, or none, although more follow: continue while `next_cursor` isn't null.",
  query: z.object({
    workspace,
    ...auditFilter,
    limit: pageLimit(200).default(50).meta({ description: "Entries per page, at most 200." }),
    cursor,
  }),
  body: nothing,
  response: auditPage,
  failures: { 400: "The cursor isn't valid for this request." },
});

export const exportWholeAuditRoute = defineDownload({
  ...ADMINISTERS,
  method: "GET",
  path: "/api/admin/audit/export",
  id: "exportWholeAudit",
  summary: "Export the audit log of the whole server",
  description: "Returns all entries as JSON Lines: each line is one entry as JSON.",
  mediaType: "application/jsonl",
  query: z.object({ workspace, ...auditFilter }),
  body: nothing,
  failures: {},
});
