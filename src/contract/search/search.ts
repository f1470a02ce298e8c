import { z } from "zod";
import { countCharacters } from "../../domain/model/limits.ts";
import { SORTS } from "../../domain/search/ports.ts";
import { code, groupName, instant, nothing, pageLimit, text, visibility } from "../model/common.ts";
import { attachedTags, currentVisibility, filedIn, itemKind, reportTitle, versionCount } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const PAGE_DEFAULT = 50;
const PAGE_MAXIMUM = 200;
const TAGS_MAXIMUM = 50;
const Q_MAXIMUM = 500;

const none = "`none` means none at all.";
const sorts = SORTS.flatMap((sort) => [sort, `-${sort}` as const]);

const foundItem = z
  .object({
    kind: itemKind,
    name: groupName.optional().meta({ description: "Of a group." }),
    code: code.meta({ description: "Of the version that is current." }),
    title: reportTitle,
    version_count: versionCount,
    visibility,
    current_visibility: currentVisibility,
    ...filedIn,
    tags: attachedTags,
    created_at: instant,
    updated_at: instant,
    url: z.url().meta({ description: "A group's live link, a report's permanent one." }),
  })
  .meta({
    id: "FoundItem",
    examples: [
      {
        kind: "group",
        name: "weekly-sales",
        code: "7Kd0aQ2mXw9LbT4e",
        title: "Sales",
        version_count: 3,
        visibility: "public",
        current_visibility: "public",
        folder_id: "fld_Q3ZzD1mB0kXa7TgH",
        drawer_id: null,
        tags: [],
        created_at: "2026-03-01T09:30:00.000Z",
        updated_at: "2026-03-15T09:30:00.000Z",
        url: "https://content.example.org/@ada/weekly-sales/",
      },
    ],
  });

export type FoundItemEntry = z.output<typeof foundItem>;

export const searchRoute = defineRoute({
  method: "GET",
  path: "/api/search",
  id: "search",
  summary: "Find groups and reports of a workspace",
  description:
    "Every word of `q` has to be somewhere in the name, the current title, a code, or the title of the folder, drawer or a tag; in any case, and as any part of it. What reports say is not searched.",
  scope: "reports:read",
  query: z
    .object({
      owner: text(100).meta({ description: "Slug of the one workspace that is searched.", examples: ["ada"] }),
      // Any text can be sought, also such as no report can have.
      q: z
        .string()
        .refine((value) => countCharacters(value) <= Q_MAXIMUM, `must have at most ${Q_MAXIMUM} characters`)
        .optional()
        .meta({
          description: "Words, each of which has to be found.",
          maxLength: Q_MAXIMUM,
          examples: ["weekly sales"],
        }),
      folder_id: text(100)
        .optional()
        .meta({ description: `A folder; ${none}` }),
      drawer_id: text(100)
        .optional()
        .meta({ description: `Any folder of a drawer; ${none}` }),
      tag_id: z
        .array(text(100))
        .max(TAGS_MAXIMUM, `must be given at most ${TAGS_MAXIMUM} times`)
        .optional()
        .meta({ description: `May be given several times, and then all are needed; ${none}` }),
      tag_scope: z.enum(["tag", "subtree"]).optional().meta({ description: "`subtree`: a tag or any tag below it." }),
      visibility: visibility.optional().meta({ description: "Only items of this visibility." }),
      sort: z
        .enum(sorts)
        .optional()
        .meta({ description: "`updated` (newest first, the default), `created`, `title`, `name`; `-` reverses." }),
      limit: pageLimit(PAGE_MAXIMUM).default(PAGE_DEFAULT).meta({ description: "Items on a page." }),
      cursor: text(4000).optional().meta({ description: "`next_cursor` of the page before, of the same search." }),
    })
    .refine(({ folder_id, drawer_id }) => folder_id === undefined || drawer_id === undefined, {
      message: "Give at most one of folder_id and drawer_id",
    }),
  repeatable: ["tag_id"],
  body: nothing,
  response: z
    .object({
      items: z.array(foundItem).meta({ description: "In the order that was asked for." }),
      next_cursor: z.string().nullable().meta({ description: "For the page after this one; null on the last." }),
      searchedScope: z.string().meta({ description: "Slug of the workspace." }),
      fullText: z.literal(false).meta({ description: "What reports say is not searched." }),
    })
    .meta({ id: "SearchPage" }),
  failures: { 404: "There is no such workspace, folder, drawer or tag, or it belongs to another account." },
});
