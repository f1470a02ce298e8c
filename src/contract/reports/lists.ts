import { z } from "zod";
import {
  code,
  folderLabel,
  groupName,
  instant,
  nothing,
  pageLimit,
  storageMode,
  text,
  visibility,
} from "../model/common.ts";
import {
  currentVisibility,
  displayName,
  filedIn,
  reportTitle,
  versionCount,
  workspaceKind,
  workspaceSlug,
} from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const PAGE_MAXIMUM = 1000;

export const owner = z
  .object({
    slug: workspaceSlug,
    kind: workspaceKind,
    display_name: displayName,
  })
  .meta({ id: "Owner", description: "A workspace.", examples: [{ slug: "ada", kind: "user", display_name: "Ada" }] });

const group = z
  .object({
    name: groupName,
    current_code: code,
    owner_slug: workspaceSlug,
    latest_title: reportTitle.meta({ description: "Of the version that is current." }),
    version_count: versionCount,
    visibility,
    current_visibility: currentVisibility,
    storage: storageMode.meta({ description: "Of the current version." }),
    folder: folderLabel,
    created_at: instant,
  })
  .meta({
    id: "GroupEntry",
    examples: [
      {
        name: "weekly-sales",
        current_code: "7Kd0aQ2mXw9LbT4e",
        owner_slug: "ada",
        latest_title: "Sales",
        version_count: 3,
        visibility: "public",
        current_visibility: "public",
        storage: "none",
        folder: "Sales/2026",
        created_at: "2026-03-01T09:30:00.000Z",
      },
    ],
  });

const standalone = z
  .object({
    code,
    title: reportTitle,
    owner_slug: workspaceSlug,
    visibility,
    current_visibility: currentVisibility,
    storage: storageMode,
    folder: folderLabel,
    folder_id: filedIn.folder_id,
    version_no: z.literal(1).meta({ description: "A standalone report has but one." }),
    created_at: instant,
  })
  .meta({
    id: "StandaloneEntry",
    examples: [
      {
        code: "7Kd0aQ2mXw9LbT4e",
        title: "Sales",
        owner_slug: "ada",
        visibility: "private",
        current_visibility: "private",
        storage: "none",
        folder: null,
        folder_id: null,
        version_no: 1,
        created_at: "2026-03-01T09:30:00.000Z",
      },
    ],
  });

export type GroupEntry = z.output<typeof group>;
export type StandaloneEntry = z.output<typeof standalone>;

export const listRoute = defineRoute({
  method: "GET",
  path: "/api/list",
  id: "list",
  summary: "List workspaces, groups and standalone reports",
  description:
    "Everything that the caller may read, newest first within each workspace. With `limit` or `cursor`, one page of it: first groups, then standalone reports.",
  scope: "reports:read",
  query: z.object({
    limit: pageLimit(PAGE_MAXIMUM).optional().meta({ description: "Groups and reports on a page." }),
    cursor: text(1000).optional().meta({ description: "`next_cursor` of the page before." }),
  }),
  body: nothing,
  response: z
    .object({
      owners: z
        .array(owner)
        .meta({ description: "The workspaces that the caller belongs to and this credential may see." }),
      groups: z.array(group).meta({ description: "Newest first within each workspace." }),
      standalone: z.array(standalone).meta({ description: "Reports that have no name." }),
      signedIn: z.boolean().meta({ description: "Always true: without a token or session there is no list." }),
      next_cursor: z.string().nullable().optional().meta({ description: "Of a page; null on the last one." }),
    })
    .meta({ id: "ReportList" }),
  failures: {},
});
