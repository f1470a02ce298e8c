import { z } from "zod";
import {
  code,
  expectedCode,
  folderLabel,
  groupName,
  instant,
  nothing,
  soughtCode,
  soughtName,
  storageMode,
  visibility,
} from "../model/common.ts";
import { attachedTags, filedIn, reportTitle, versionNo, workspaceSlug } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const noSuchGroup = "There is no such group, or it belongs to another account.";

const version = z
  .object({ code, title: reportTitle, version_no: versionNo, created_at: instant, visibility, storage: storageMode })
  .meta({ id: "Version" });

export type VersionEntry = z.output<typeof version>;

const groupDetail = z
  .object({
    name: groupName,
    owner_slug: workspaceSlug,
    current_code: code.meta({ description: "Of the version that the live link shows." }),
    visibility,
    created_at: instant,
    versions: z.array(version).meta({ description: "Newest first." }),
    folder: folderLabel,
    ...filedIn,
    folder_changed_at: instant.nullable().meta({ description: "When it was filed or unfiled; null if it never was." }),
    tags: attachedTags,
  })
  .meta({ id: "Group" });

export const groupRoute = defineRoute({
  method: "GET",
  path: "/api/group",
  id: "group",
  summary: "Describe a group and its versions",
  description: "The versions that the caller may read, with where the group is filed and tagged.",
  scope: "reports:read",
  query: z.object({ name: soughtName }),
  body: nothing,
  response: groupDetail,
  failures: { 404: noSuchGroup },
});

export const renameRoute = defineRoute({
  method: "POST",
  path: "/api/rename",
  id: "rename",
  summary: "Rename a group",
  description: "The old name becomes free; codes and pinned links stay as they are.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ name: soughtName, newName: groupName })
    .meta({ id: "Rename", examples: [{ name: "weekly-sales", newName: "sales" }] }),
  response: z.object({ ok: z.literal(true), name: groupName }),
  failures: { 400: "The new name is not valid.", 404: noSuchGroup, 409: "The new name is taken." },
});

export const setLatestRoute = defineRoute({
  method: "POST",
  path: "/api/setlatest",
  id: "setLatest",
  summary: "Point a group at one of its versions",
  description: "The live link shows that version until the next upload.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ name: soughtName, code: soughtCode, expected_current_code: expectedCode })
    .meta({ id: "SetLatest", examples: [{ name: "weekly-sales", code: "7Kd0aQ2mXw9LbT4e" }] }),
  response: z.object({ ok: z.literal(true), name: groupName, current_code: code }),
  failures: {
    400: "The code does not belong to the group.",
    404: noSuchGroup,
    409: "The group is not at the expected code.",
  },
});

export const deleteGroupRoute = defineRoute({
  method: "POST",
  path: "/api/delete-group",
  id: "deleteGroup",
  summary: "Delete a group with all its versions",
  description: "The name becomes free; the codes are never used again.",
  scope: "reports:delete",
  query: nothing,
  body: z.object({ name: soughtName }).meta({ id: "DeleteGroup", examples: [{ name: "weekly-sales" }] }),
  response: z.object({
    ok: z.literal(true),
    deleted: z.int().min(1).meta({ description: "How many versions are gone with it." }),
  }),
  failures: { 403: "The token lacks the scope, or the group is someone else's to delete.", 404: noSuchGroup },
});
