import * as z from "zod";
import { ITEMS_BODY_BYTES, ITEMS_PER_CALL, TAG_PAIRS_PER_CALL, TAGS_PER_CALL } from "../../domain/model/limits.ts";
import { instant, nothing, requestedCode, requestedId, requestedName } from "../model/common.ts";
import { requestedFolderId, requestedTagId } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const reference = z
  .object({ name: requestedName.optional(), code: requestedCode.optional() })
  .refine(({ name, code }) => (name === undefined) !== (code === undefined), "must have either name or code")
  .meta({ id: "ItemReference", examples: [{ name: "weekly-sales" }, { code: "7Kd0aQ2mXw9LbT4e" }] });

const references = z
  .array(reference)
  .min(1, "must have at least 1 entry")
  .max(ITEMS_PER_CALL, `must have at most ${ITEMS_PER_CALL} entries`)
  .meta({
    description:
      "References to reports of one workspace. The code of any version refers to its report. Duplicates count once.",
  });

const tagIds = z.array(requestedTagId).max(TAGS_PER_CALL, `must have at most ${TAGS_PER_CALL} entries`);

const updated = z.int().min(1).meta({ description: "Number of reports in the request, whether or not they changed." });
const UNDO = "The requests to this route that restore what was, in any order. Empty if nothing changed.";

const failures = {
  400: "A field is invalid, or the reports belong to different workspaces. No report is changed.",
  404: "A report, folder or tag does not exist, or the caller cannot access it. No report is changed.",
};

const filing = z
  .object({
    items: references,
    folder_id: requestedFolderId.nullable().meta({ description: "The ID of the folder. Null unfiles the reports." }),
  })
  .meta({
    id: "FileItems",
    examples: [{ items: [{ name: "weekly-sales" }, { code: "7Kd0aQ2mXw9LbT4e" }], folder_id: "fld_Q3ZzD1mB0kXa7TgH" }],
  });

export const fileItemsRoute = defineRoute({
  method: "POST",
  path: "/api/items/set-folder",
  id: "fileItems",
  summary: "File reports",
  description:
    "Files up to 200 reports in a folder, or unfiles them. If any reference is invalid, no report is changed.",
  scope: "reports:write",
  query: nothing,
  maximumBytes: ITEMS_BODY_BYTES,
  body: filing,
  response: z.object({ ok: z.literal(true), updated, undo: z.array(filing).meta({ description: UNDO }) }),
  failures,
});

const tagging = z
  .object({
    items: references,
    add: tagIds.optional().meta({ description: "IDs of the tags to add." }),
    remove: tagIds.optional().meta({ description: "IDs of the tags to remove." }),
    set: tagIds
      .optional()
      .meta({ description: "IDs of the tags that replace all current tags. An empty list removes all tags." }),
  })
  .refine(
    ({ add, remove, set }) => [add, remove, set].filter((ids) => ids !== undefined).length === 1,
    "Specify one of add, remove and set",
  )
  .meta({ id: "TagItems", examples: [{ items: [{ name: "weekly-sales" }], add: ["tag_v7RkW0dGm4HsE1xP"] }] });

export const tagItemsRoute = defineRoute({
  method: "POST",
  path: "/api/items/tags",
  id: "tagItems",
  summary: "Tag reports",
  description: `Adds, removes or replaces the tags of up to 200 reports. If any reference is invalid, no report is changed. Specify one of \`add\`, \`remove\` and \`set\`. The number of reports times the number of tags can be at most ${TAG_PAIRS_PER_CALL.toLocaleString("en")}.`,
  scope: "reports:write",
  query: nothing,
  maximumBytes: ITEMS_BODY_BYTES,
  body: tagging,
  response: z.object({ ok: z.literal(true), updated, undo: z.array(tagging).meta({ description: UNDO }) }),
  failures,
});

const undoId = { description: "The ID of the deletion.", examples: ["del_Q3ZzD1mB0kXa7TgH"] };

export const deleteItemsRoute = defineRoute({
  method: "POST",
  path: "/api/items/delete",
  id: "deleteItems",
  summary: "Delete reports",
  description:
    "Moves up to 200 reports with all their versions to the trash. If any reference is invalid, no report is deleted. The names become available immediately; codes are never reused. Until `undo` expires, `POST /api/items/restore` restores all of the reports.",
  scope: "reports:delete",
  query: nothing,
  body: z.object({ items: references }).meta({
    id: "DeleteItems",
    examples: [{ items: [{ name: "weekly-sales" }, { code: "7Kd0aQ2mXw9LbT4e" }] }],
  }),
  response: z.object({
    ok: z.literal(true),
    deleted: z.int().min(1).meta({ description: "Number of reports that were deleted." }),
    undo: z
      .object({ id: z.string().meta(undoId), expires_at: instant })
      .nullable()
      .meta({
        id: "Undo",
        description:
          "The ID to pass to `POST /api/items/restore`, and when it expires. Null if the server has no trash, so that deletions are permanent.",
      }),
  }),
  failures: {
    ...failures,
    403: "The access token does not have the required scope, or the caller cannot delete one of the reports. No report is deleted.",
    409: "A report or one of its versions is protected. No report is deleted.",
  },
});

export const restoreItemsRoute = defineRoute({
  method: "POST",
  path: "/api/items/restore",
  id: "restoreItems",
  summary: "Undo a deletion",
  description:
    "Restores all reports from the trash that one call of `POST /api/items/delete` deleted. Folders and tags that were deleted in the meantime are not restored. Requires that the caller deleted the reports, or is an owner or admin of the workspace.",
  scope: "reports:delete",
  query: nothing,
  body: z
    .object({ undo: requestedId.meta({ ...undoId, description: "The `undo.id` that the deletion returned." }) })
    .meta({ id: "RestoreItems", examples: [{ undo: "del_Q3ZzD1mB0kXa7TgH" }] }),
  response: z.object({
    ok: z.literal(true),
    restored: z.int().min(1).meta({ description: "Number of reports that were restored." }),
  }),
  failures: {
    404: "The deletion does not exist, has expired or was already undone, or the caller cannot undo it.",
    409: "A name is already taken. No report is restored.",
    507: "The workspace's storage quota is full. No report is restored.",
  },
});
