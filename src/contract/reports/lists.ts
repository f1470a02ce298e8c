import * as z from "zod";
import {
  code,
  folderLabel,
  instant,
  nothing,
  pageLimit,
  reportName,
  storageMode,
  text,
  visibility,
} from "../model/common.ts";
import {
  currentVisibility,
  displayName,
  filedIn,
  reportTitle,
  thumbnailUrl,
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
    name: reportName,
    current_code: code,
    owner_slug: workspaceSlug,
    latest_title: reportTitle.meta({ description: "The title of the current version." }),
    version_count: versionCount,
    visibility,
    current_visibility: currentVisibility,
    storage: storageMode.meta({ description: "The storage available to the current version in a browser." }),
    folder: folderLabel,
    thumbnail_url: thumbnailUrl,
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
        thumbnail_url: null,
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
    thumbnail_url: thumbnailUrl,
    version_no: z.literal(1).meta({ description: "Always 1, because an unnamed report has one version." }),
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
        thumbnail_url: null,
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
  summary: "List reports",
  description:
    "Returns the caller's workspaces and all reports that the caller can read, newest first in each workspace. With `limit` or `cursor`, returns one page: named reports first, then unnamed reports.",
  scope: "reports:read",
  query: z.object({
    limit: pageLimit(PAGE_MAXIMUM).optional().meta({ description: "Maximum number of reports per page." }),
    cursor: text(1000).optional().meta({ description: "The `next_cursor` of the previous page." }),
  }),
  body: nothing,
  response: z
    .object({
      owners: z
        .array(owner)
        .meta({ description: "The workspaces that the caller belongs to and that this token or session can access." }),
      groups: z.array(group).meta({ description: "The named reports, newest first in each workspace." }),
      standalone: z.array(standalone).meta({ description: "The unnamed reports, newest first in each workspace." }),
      signedIn: z
        .boolean()
        .meta({ description: "Always true, because the request requires an access token or a session." }),
      next_cursor: z.string().nullable().optional().meta({
        description:
          "Pass as `cursor` to get the next page. Null on the last page. Absent if neither `limit` nor `cursor` was set.",
      }),
    })
    .meta({ id: "ReportList" }),
  failures: {},
});
