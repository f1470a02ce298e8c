import { z } from "zod";
import { cabinetTitle, itemCount, nothing, soughtOwner } from "../model/common.ts";
import { cabinetEntryTitle, soughtTagId, tagId } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const noSuchTag = "There is no such tag, or it is in a workspace of others.";

export const tag = z
  .object({
    id: tagId,
    title: cabinetEntryTitle,
    parent_id: tagId.nullable().meta({ description: "Null at the top." }),
    item_count: itemCount,
  })
  .meta({
    id: "Tag",
    examples: [{ id: "tag_v7RkW0dGm4HsE1xP", title: "Quarterly", parent_id: null, item_count: 7 }],
  });

export const createTagRoute = defineRoute({
  method: "POST",
  path: "/api/tags/create",
  id: "createTag",
  summary: "Make a tag",
  description: "Under another one, or without one at the top; however deep.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      owner: soughtOwner,
      title: cabinetTitle,
      parent_id: soughtTagId.nullish().meta({ description: "The tag that it goes under; at the top unless given." }),
    })
    .meta({ id: "CreateTag", examples: [{ owner: "ada", title: "Quarterly", parent_id: "tag_0cNfY6uJq9ZbT3wM" }] }),
  response: tag,
  failures: { 404: "There is no such workspace, or no such tag in it." },
});

export const renameTagRoute = defineRoute({
  method: "POST",
  path: "/api/tags/rename",
  id: "renameTag",
  summary: "Rename a tag",
  description: "Everything that carries it keeps it.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ id: soughtTagId, title: cabinetTitle })
    .meta({ id: "RenameTag", examples: [{ id: "tag_v7RkW0dGm4HsE1xP", title: "Monthly" }] }),
  response: z.object({ ok: z.literal(true), id: tagId, title: cabinetEntryTitle }),
  failures: { 404: noSuchTag },
});

export const moveTagRoute = defineRoute({
  method: "POST",
  path: "/api/tags/move",
  id: "moveTag",
  summary: "Move a tag under another one or to the top",
  description: "All tags below it come along.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ id: soughtTagId, parent_id: soughtTagId.nullable().meta({ description: "Null: to the top." }) })
    .meta({ id: "MoveTag", examples: [{ id: "tag_v7RkW0dGm4HsE1xP", parent_id: null }] }),
  response: z.object({
    ok: z.literal(true),
    id: tagId,
    parent_id: tagId.nullable().meta({ description: "Null at the top." }),
  }),
  failures: {
    400: "The new parent is the tag itself or one below it.",
    404: "There is no such tag, or no such parent in its workspace.",
  },
});

export const deleteTagRoute = defineRoute({
  method: "POST",
  path: "/api/tags/delete",
  id: "deleteTag",
  summary: "Delete a tag and all tags below it",
  description: "What carried them loses them, and stays.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ id: soughtTagId }).meta({ id: "DeleteTag", examples: [{ id: "tag_v7RkW0dGm4HsE1xP" }] }),
  response: z.object({
    ok: z.literal(true),
    deleted: z.int().min(1).meta({ description: "Tags, with those below it." }),
  }),
  failures: { 404: noSuchTag },
});
