import * as z from "zod";
import {
  code,
  expectedCode,
  folderLabel,
  instant,
  nothing,
  reportName,
  requestedCode,
  requestedName,
  storageMode,
  visibility,
} from "../model/common.ts";
import { attachedTags, documentTitle, filedIn, versionNo, workspaceSlug } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const noSuchReport = "The report does not exist, or the caller cannot access it.";

const version = z
  .object({ code, title: documentTitle, version_no: versionNo, created_at: instant, visibility, storage: storageMode })
  .meta({ id: "Version" });

export type VersionEntry = z.output<typeof version>;

const groupDetail = z
  .object({
    name: reportName,
    owner_slug: workspaceSlug,
    current_code: code.meta({ description: "The code of the current version, which the live link shows." }),
    visibility,
    created_at: instant,
    versions: z.array(version).meta({ description: "The versions, newest first." }),
    folder: folderLabel,
    ...filedIn,
    folder_changed_at: instant
      .nullable()
      .meta({ description: "The time when the report was last filed or unfiled. Null if it never was." }),
    tags: attachedTags,
  })
  .meta({ id: "Group" });

export const groupRoute = defineRoute({
  method: "GET",
  path: "/api/group",
  id: "group",
  summary: "Retrieve a named report",
  description: "Returns a named report with its folder, its tags and the versions that the caller can read.",
  scope: "reports:read",
  query: z.object({ name: requestedName }),
  body: nothing,
  response: groupDetail,
  failures: { 404: noSuchReport },
});

export const renameRoute = defineRoute({
  method: "POST",
  path: "/api/rename",
  id: "rename",
  summary: "Rename a report",
  description:
    "Changes the name of a named report, and with it the live link. The old name becomes available. Version links do not change.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ name: requestedName, newName: reportName })
    .meta({ id: "Rename", examples: [{ name: "weekly-sales", newName: "sales" }] }),
  response: z.object({ ok: z.literal(true), name: reportName }),
  failures: { 400: "The new name is invalid.", 404: noSuchReport, 409: "The new name is already taken." },
});

export const setLatestRoute = defineRoute({
  method: "POST",
  path: "/api/setlatest",
  id: "setLatest",
  summary: "Set the current version",
  description: "Makes a version current, for example to roll back. The live link shows it until the next upload.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ name: requestedName, code: requestedCode, expected_current_code: expectedCode })
    .meta({ id: "SetLatest", examples: [{ name: "weekly-sales", code: "7Kd0aQ2mXw9LbT4e" }] }),
  response: z.object({ ok: z.literal(true), name: reportName, current_code: code }),
  failures: {
    400: "The code does not belong to the report.",
    404: noSuchReport,
    409: "The current code is not the expected one.",
  },
});

export const deleteGroupRoute = defineRoute({
  method: "POST",
  path: "/api/delete-group",
  id: "deleteGroup",
  summary: "Delete a named report",
  description:
    "Moves a named report with all its versions to the trash. The name becomes available; codes are never reused.",
  scope: "reports:delete",
  query: nothing,
  body: z.object({ name: requestedName }).meta({ id: "DeleteGroup", examples: [{ name: "weekly-sales" }] }),
  response: z.object({
    ok: z.literal(true),
    deleted: z.int().min(1).meta({ description: "Number of versions that were deleted." }),
  }),
  failures: {
    403: "The access token does not have the required scope, or the caller cannot delete the report.",
    404: noSuchReport,
    409: "The report or one of its versions is protected.",
  },
});
