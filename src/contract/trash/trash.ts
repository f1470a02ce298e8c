import * as z from "zod";
import { ITEMS_PER_CALL } from "../../domain/model/limits.ts";
import {
  code,
  instant,
  nothing,
  pageLimit,
  reportName,
  requestedCode,
  requestedId,
  requestedName,
  requestedOwner,
} from "../model/common.ts";
import { byteCount, creator, documentTitle, versionNo } from "../model/fields.ts";
import { hasOneReference, ONE_REFERENCE, reference } from "../model/references.ts";
import { defineRoute } from "../model/route.ts";

const PAGE_DEFAULT = 50;
const PAGE_MAXIMUM = 200;
const ENTRY_ID = "trs_Q3ZzD1mB0kXa7TgH";

const noSuchWorkspace = "The workspace does not exist, or the caller is not a member.";
const noSuchEntry = "An entry does not exist, or the caller cannot access it. Nothing is changed.";

const entryId = z.string().meta({ description: "The entry's ID.", examples: [ENTRY_ID] });
const kind = z
  .enum(["report", "version"])
  .meta({ description: "`report`: a report with all its versions. `version`: one version of a report that remains." });

const entry = z
  .object({
    id: entryId,
    kind,
    name: reportName.nullable().meta({ description: "The name that the report had. Null if it had none." }),
    code: code.meta({ description: "The code of the version, or of the report's current version." }),
    title: documentTitle.meta({ description: "The title of the report or version." }),
    version_no: versionNo.nullable().meta({ description: "The number of the version. Null for a report." }),
    versions: z.int().min(1).meta({ description: "Number of deleted versions." }),
    size: byteCount.meta({ description: "Total size of all files, in bytes." }),
    deleted_at: instant,
    expires_at: instant.meta({ description: "When the entry is deleted permanently." }),
    reason: z
      .enum(["user", "retention"])
      .meta({ description: "`user`: a person deleted it. `retention`: a retention rule did." }),
    deleted_by: creator.meta({
      description: "The user who deleted it. Null if a retention rule did, or if the account was deleted.",
    }),
    free_name: reportName.nullable().meta({
      description: "A free name to restore the report under, if its own name is taken. Null otherwise.",
    }),
  })
  .meta({ id: "TrashEntry", description: "A deleted report or version that can be restored." });

export type TrashEntryView = z.output<typeof entry>;

export const trashRoute = defineRoute({
  method: "GET",
  path: "/api/trash",
  id: "trash",
  summary: "List the trash",
  description:
    "Lists deleted reports and versions of a workspace that the caller can restore, most recently deleted first. Owners and admins of an organization can restore everything, other members what they made.",
  scope: "reports:read",
  query: z.object({
    owner: requestedOwner,
    name: requestedName.optional().meta({ description: "Only reports that had this name, and their versions." }),
    code: requestedCode.optional().meta({ description: "Only the entry with this version." }),
    cursor: requestedId.optional().meta({ description: "The `next_cursor` of the previous page." }),
    limit: pageLimit(PAGE_MAXIMUM).default(PAGE_DEFAULT).meta({ description: "Maximum number of entries per page." }),
  }),
  body: nothing,
  response: z.object({
    owner: requestedOwner,
    entries: z.array(entry),
    next_cursor: z.string().nullable().meta({ description: "The cursor of the next page. Null at the end." }),
    days: z
      .int()
      .min(0)
      .meta({
        description: "Days that the trash keeps what is deleted now. 0 if deletions are permanent.",
        examples: [30],
      }),
    stored_bytes: byteCount.nullable().meta({
      description: "Size of the workspace's trash, in bytes. Null unless the caller can restore everything in it.",
    }),
    allowance_bytes: byteCount.meta({
      description: "Size that the trash can have, in bytes. Beyond it, the oldest entries are deleted permanently.",
    }),
  }),
  failures: { 400: "The cursor is invalid.", 404: noSuchWorkspace },
});

const ids = z
  .array(requestedId)
  .min(1, "must have at least 1 entry")
  .max(ITEMS_PER_CALL, `must have at most ${ITEMS_PER_CALL} entries`);

export const restoreTrashRoute = defineRoute({
  method: "POST",
  path: "/api/trash/restore",
  id: "restoreTrash",
  summary: "Restore from the trash",
  description:
    "Restores up to 200 entries of one workspace's trash with their tags, folders, shortcuts and sharing, or none of them. Folders and tags that were deleted in the meantime are not restored. A version returns to its report under its former number.",
  scope: "reports:delete",
  query: nothing,
  body: z
    .object({
      ids: ids.meta({ description: "IDs of the entries to restore." }),
      name: reportName
        .optional()
        .meta({ description: "A new name for the report. Possible if `ids` has one entry, a report." }),
    })
    .meta({ id: "RestoreTrash", examples: [{ ids: [ENTRY_ID] }] }),
  response: z.object({
    ok: z.literal(true),
    restored: z.array(
      z.object({
        id: entryId,
        kind,
        name: reportName.nullable().meta({ description: "The report's name. Null if it has none." }),
        code: code.meta({ description: "The code of the version, or of the report's current version." }),
      }),
    ),
  }),
  failures: {
    404: noSuchEntry,
    409: "A name is taken, or the report of a version does not exist. Nothing is restored.",
    507: "The workspace's storage quota is full. Nothing is restored.",
  },
});

export const purgeTrashRoute = defineRoute({
  method: "POST",
  path: "/api/trash/purge",
  id: "purgeTrash",
  summary: "Delete permanently",
  description:
    "Deletes entries of the trash permanently: up to 200 by `ids`, or with `owner` all entries of a workspace that the caller can restore. This can't be undone. Deleting a report permanently also deletes versions of it that are separate entries.",
  scope: "reports:delete",
  query: nothing,
  body: z
    .object({
      ids: ids.optional().meta({ description: "IDs of the entries to delete permanently." }),
      owner: requestedOwner.optional().meta({ description: "The slug of the workspace whose trash to empty." }),
    })
    .refine((body) => (body.ids === undefined) !== (body.owner === undefined), "Specify either ids or owner")
    .meta({ id: "PurgeTrash", examples: [{ ids: [ENTRY_ID] }, { owner: "ada" }] }),
  response: z.object({
    ok: z.literal(true),
    purged: z.int().min(0).meta({ description: "Number of entries that were deleted permanently." }),
  }),
  failures: { 404: `${noSuchEntry} Or: ${noSuchWorkspace.charAt(0).toLowerCase()}${noSuchWorkspace.slice(1)}` },
});

export const protectRoute = defineRoute({
  method: "POST",
  path: "/api/protect",
  id: "protect",
  summary: "Protect from deletion",
  description:
    "Protects a report or version, or ends its protection. A protected report can't be deleted, nor any version of it; with a protected version, the report can't be deleted either. Retention rules skip both. `name` protects a report, `code` one version or an unnamed report.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ ...reference, protected: z.boolean().meta({ description: "Whether to protect it." }) })
    .refine(hasOneReference, ONE_REFERENCE)
    .meta({ id: "Protect", examples: [{ name: "weekly-sales", protected: true }] }),
  response: z.object({ ok: z.literal(true), protected: z.boolean() }),
  failures: {
    403: "The access token does not have the required scope, or the caller cannot delete the report.",
    404: "The report does not exist, or the caller cannot access it.",
  },
});
