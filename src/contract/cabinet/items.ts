import { z } from "zod";
import { ITEMS_BODY_BYTES, ITEMS_PER_CALL, TAG_PAIRS_PER_CALL, TAGS_PER_CALL } from "../../domain/model/limits.ts";
import { instant, nothing, soughtCode, soughtId, soughtName } from "../model/common.ts";
import { soughtFolderId, soughtTagId } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const reference = z
  .object({ name: soughtName.optional(), code: soughtCode.optional() })
  .refine(({ name, code }) => (name === undefined) !== (code === undefined), "must have exactly one of name and code")
  .meta({ id: "ItemReference", examples: [{ name: "weekly-sales" }, { code: "7Kd0aQ2mXw9LbT4e" }] });

const references = z
  .array(reference)
  .min(1, "must have at least 1 entry")
  .max(ITEMS_PER_CALL, `must have at most ${ITEMS_PER_CALL} entries`)
  .meta({
    description:
      "All of one workspace. The code of a group's version names that group. What is named twice counts once.",
  });

const tagIds = z.array(soughtTagId).max(TAGS_PER_CALL, `must have at most ${TAGS_PER_CALL} entries`);

const updated = z.object({
  ok: z.literal(true),
  updated: z.int().min(1).meta({ description: "Groups and reports that were named, changed by it or not." }),
});

const failures = {
  400: "A field is wrong, or the items are of more than one workspace; then nothing is changed.",
  404: "Something that is named does not exist, or belongs to others; then nothing is changed.",
};

export const fileItemsRoute = defineRoute({
  method: "POST",
  path: "/api/items/set-folder",
  id: "fileItems",
  summary: "File groups and reports in a folder",
  description: "All of them or none. A folder that is null unfiles them.",
  scope: "reports:write",
  query: nothing,
  maximumBytes: ITEMS_BODY_BYTES,
  body: z
    .object({ items: references, folder_id: soughtFolderId.nullable().meta({ description: "Null unfiles them." }) })
    .meta({
      id: "FileItems",
      examples: [
        { items: [{ name: "weekly-sales" }, { code: "7Kd0aQ2mXw9LbT4e" }], folder_id: "fld_Q3ZzD1mB0kXa7TgH" },
      ],
    }),
  response: updated,
  failures,
});

export const tagItemsRoute = defineRoute({
  method: "POST",
  path: "/api/items/tags",
  id: "tagItems",
  summary: "Attach tags to groups and reports, or detach them",
  description: `All of them or none. \`set\` replaces the tags they have; an empty list removes all. Items times tags must be at most ${TAG_PAIRS_PER_CALL.toLocaleString("en")}.`,
  scope: "reports:write",
  query: nothing,
  maximumBytes: ITEMS_BODY_BYTES,
  body: z
    .object({
      items: references,
      add: tagIds.optional().meta({ description: "Tags to attach, by their ids." }),
      remove: tagIds.optional().meta({ description: "Tags to detach." }),
      set: tagIds.optional().meta({ description: "The tags that they carry afterwards, and no others." }),
    })
    .refine(
      ({ add, remove, set }) => [add, remove, set].filter((ids) => ids !== undefined).length === 1,
      "Give exactly one of add, remove and set",
    )
    .meta({ id: "TagItems", examples: [{ items: [{ name: "weekly-sales" }], add: ["tag_v7RkW0dGm4HsE1xP"] }] }),
  response: updated,
  failures,
});

const undoId = { description: "Names the deletion.", examples: ["del_Q3ZzD1mB0kXa7TgH"] };

export const deleteItemsRoute = defineRoute({
  method: "POST",
  path: "/api/items/delete",
  id: "deleteItems",
  summary: "Delete groups and reports with all their versions",
  description:
    "Deletes all of them or none. Names become free at once; codes are never used again. `undo` restores everything until it expires.",
  scope: "reports:delete",
  query: nothing,
  body: z.object({ items: references }).meta({
    id: "DeleteItems",
    examples: [{ items: [{ name: "weekly-sales" }, { code: "7Kd0aQ2mXw9LbT4e" }] }],
  }),
  response: z.object({
    ok: z.literal(true),
    deleted: z.int().min(1).meta({ description: "How many groups and reports were deleted." }),
    undo: z
      .object({ id: z.string().meta(undoId), expires_at: instant })
      .meta({ id: "Undo", description: "What `POST /api/items/restore` takes, and until when." }),
  }),
  failures: {
    ...failures,
    403: "The token lacks the scope, or one of the items is someone else's to delete; then nothing is changed.",
  },
});

export const restoreItemsRoute = defineRoute({
  method: "POST",
  path: "/api/items/restore",
  id: "restoreItems",
  summary: "Undo a deletion",
  description:
    "Restores everything that one `POST /api/items/delete` has deleted, as it was. Folders and tags that were deleted since stay deleted. Whoever deleted the items can do this, and owners and admins of the workspace.",
  scope: "reports:delete",
  query: nothing,
  body: z
    .object({ undo: soughtId.meta({ ...undoId, description: "The `undo.id` of the deletion." }) })
    .meta({ id: "RestoreItems", examples: [{ undo: "del_Q3ZzD1mB0kXa7TgH" }] }),
  response: z.object({
    ok: z.literal(true),
    restored: z.int().min(1).meta({ description: "How many groups and reports are back." }),
  }),
  failures: {
    404: "There is no such deletion, it has expired or was undone, or it is someone else's to undo.",
    409: "A name is taken again; then nothing is restored.",
    507: "The workspace's quota is full; then nothing is restored.",
  },
});
