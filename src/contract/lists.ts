import { z } from "zod";
import { code, folderLabel, groupName, instant, nothing, pageLimit, storageMode, text, visibility } from "./common.ts";
import { defineRoute } from "./route.ts";

const PAGE_MAXIMUM = 1000;

export const owner = z
  .object({
    slug: z.string(),
    kind: z.enum(["user", "org"]),
    display_name: z.string().nullable(),
  })
  .meta({ id: "Owner", description: "A workspace.", examples: [{ slug: "ada", kind: "user", display_name: "Ada" }] });

const group = z
  .object({
    name: groupName,
    current_code: code,
    owner_slug: z.string(),
    latest_title: z.string(),
    version_count: z.int().min(1),
    visibility,
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
        storage: "none",
        folder: "Sales/2026",
        created_at: "2026-03-01T09:30:00.000Z",
      },
    ],
  });

const standalone = z
  .object({
    code,
    title: z.string(),
    owner_slug: z.string(),
    visibility,
    storage: storageMode,
    folder: folderLabel,
    folder_id: z.string().nullable(),
    version_no: z.literal(1),
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
    limit: pageLimit(PAGE_MAXIMUM).optional(),
    cursor: text(1000).optional().meta({ description: "`next_cursor` of the page before." }),
  }),
  body: nothing,
  response: z
    .object({
      owners: z.array(owner),
      groups: z.array(group),
      standalone: z.array(standalone),
      signedIn: z.boolean(),
      next_cursor: z.string().nullable().optional().meta({ description: "Of a page; null on the last one." }),
    })
    .meta({ id: "ReportList" }),
  failures: {},
});
