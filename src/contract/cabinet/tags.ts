import * as z from "zod";
import { cabinetTitle, itemCount, nothing, requestedOwner } from "../model/common.ts";
import { cabinetEntryTitle, requestedTagId, tagId } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const noSuchTag = "The tag does not exist, or the caller is not a member of its workspace.";

export const tag = z
  .object({
    id: tagId,
    title: cabinetEntryTitle,
    parent_id: tagId.nullable().meta({ description: "The parent tag's ID. Null at the top level." }),
    item_count: itemCount.meta({ description: "Number of reports with this tag that the caller can read." }),
    subtree_count: itemCount.meta({
      description: "Number of reports with this tag or one of its descendants that the caller can read.",
    }),
  })
  .meta({
    id: "Tag",
    examples: [{ id: "tag_v7RkW0dGm4HsE1xP", title: "Quarterly", parent_id: null, item_count: 7, subtree_count: 9 }],
  });

export const createTagRoute = defineRoute({
  method: "POST",
  path: "/api/tags/create",
  id: "createTag",
  summary: "Create a tag",
  description:
    "Creates a tag at the top level or under another tag, at any depth. If a tag with this title exists there, ignoring case, returns that one.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      owner: requestedOwner,
      title: cabinetTitle,
      parent_id: requestedTagId.nullish().meta({ description: "The ID of the parent tag. Defaults to the top level." }),
    })
    .meta({ id: "CreateTag", examples: [{ owner: "ada", title: "Quarterly", parent_id: "tag_0cNfY6uJq9ZbT3wM" }] }),
  response: tag,
  failures: { 404: "The workspace or the parent tag does not exist, or the caller is not a member of the workspace." },
});

export const renameTagRoute = defineRoute({
  method: "POST",
  path: "/api/tags/rename",
  id: "renameTag",
  summary: "Rename a tag",
  description: "Changes the tag's title. Reports keep the tag.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ id: requestedTagId, title: cabinetTitle })
    .meta({ id: "RenameTag", examples: [{ id: "tag_v7RkW0dGm4HsE1xP", title: "Monthly" }] }),
  response: z.object({ ok: z.literal(true), id: tagId, title: cabinetEntryTitle }),
  failures: { 404: noSuchTag },
});

export const moveTagRoute = defineRoute({
  method: "POST",
  path: "/api/tags/move",
  id: "moveTag",
  summary: "Move a tag",
  description: "Moves the tag, with all of its descendants, under another tag or to the top level.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      id: requestedTagId,
      parent_id: requestedTagId
        .nullable()
        .meta({ description: "The ID of the new parent tag. Null moves the tag to the top level." }),
    })
    .meta({ id: "MoveTag", examples: [{ id: "tag_v7RkW0dGm4HsE1xP", parent_id: null }] }),
  response: z.object({
    ok: z.literal(true),
    id: tagId,
    parent_id: tagId.nullable().meta({ description: "The parent tag's ID. Null at the top level." }),
  }),
  failures: {
    400: "The new parent is the tag itself or one of its descendants.",
    404: "The tag or the parent tag does not exist, or the caller is not a member of the workspace.",
  },
});

export const deleteTagRoute = defineRoute({
  method: "POST",
  path: "/api/tags/delete",
  id: "deleteTag",
  summary: "Delete a tag",
  description: "Deletes the tag and all of its descendants, and removes them from reports. No report is deleted.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ id: requestedTagId }).meta({ id: "DeleteTag", examples: [{ id: "tag_v7RkW0dGm4HsE1xP" }] }),
  response: z.object({
    ok: z.literal(true),
    deleted: z.int().min(1).meta({ description: "Number of tags that were deleted, including descendants." }),
  }),
  failures: { 404: noSuchTag },
});
