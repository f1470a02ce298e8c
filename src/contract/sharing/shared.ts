import * as z from "zod";
import { countCharacters } from "../../domain/model/limits.ts";
import { SHARED_SORTS } from "../../domain/sharing/ports.ts";
import { code, instant, nothing, pageLimit, reportName, requestedOwner, text, visibility } from "../model/common.ts";
import { creator, displayName, itemKind, reportTitle, thumbnailUrl, workspaceSlug } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const PAGE_DEFAULT = 50;
const PAGE_MAXIMUM = 200;
const Q_MAXIMUM = 500;

const sorts = SHARED_SORTS.flatMap((sort) => [sort, `-${sort}` as const]);

const sharedItem = z
  .object({
    kind: itemKind,
    name: reportName.optional().meta({ description: "The report's name. Absent if it has none." }),
    code: code.meta({ description: "The code of the current version, or of the only version that is shared." }),
    is_version: z.boolean().meta({ description: "Whether only this version of a named report is shared." }),
    title: reportTitle,
    visibility,
    owner_slug: workspaceSlug.meta({ description: "The slug of the workspace that it belongs to." }),
    owner_name: displayName.meta({ description: "The name of that workspace. Null if none is set." }),
    shared_by: creator.meta({ description: "The user who shared it. Null if the account was deleted." }),
    shared_at: instant,
    created_at: instant,
    updated_at: instant,
    thumbnail_url: thumbnailUrl,
    url: z.url().meta({ description: "The live link of a named report, or the version link." }),
  })
  .meta({ id: "SharedItem" });

export type SharedItemEntry = z.output<typeof sharedItem>;

export const sharedRoute = defineRoute({
  method: "GET",
  path: "/api/shared",
  id: "shared",
  summary: "List what is shared with me",
  description:
    "Returns reports of other people that are shared with the caller by name, or with one of the caller's organizations from a person's workspace. What is shared in an organization's own workspace is listed there.",
  scope: "reports:read",
  query: z.object({
    q: z
      .string()
      .refine((value) => countCharacters(value) <= Q_MAXIMUM, `must have at most ${Q_MAXIMUM} characters`)
      .optional()
      .meta({
        description: "Words that must all occur in the report's name or title. Case is ignored, and parts match.",
        maxLength: Q_MAXIMUM,
        examples: ["weekly sales"],
      }),
    owner: requestedOwner.optional().meta({ description: "Only reports of this workspace, by slug." }),
    sort: z.enum(sorts).default("updated").meta({
      description: "The sort order: `updated` (most recently updated first) or `title`. A leading `-` reverses it.",
    }),
    limit: pageLimit(PAGE_MAXIMUM).default(PAGE_DEFAULT).meta({ description: "Maximum number of reports per page." }),
    cursor: text(4000).optional().meta({ description: "The `next_cursor` of the previous page of the same list." }),
  }),
  body: nothing,
  response: z
    .object({
      items: z.array(sharedItem).meta({ description: "The reports, in the requested order." }),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: "Pass as `cursor` to get the next page. Null on the last page." }),
    })
    .meta({ id: "SharedList" }),
  failures: {},
});
