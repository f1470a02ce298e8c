import * as z from "zod";
import { countCharacters } from "../../domain/model/limits.ts";
import { SORTS } from "../../domain/search/ports.ts";
import {
  code,
  instant,
  nothing,
  pageLimit,
  reportName,
  requestedTime,
  text,
  timeText,
  visibility,
} from "../model/common.ts";
import {
  attachedTags,
  creator,
  currentVisibility,
  filedIn,
  itemKind,
  reportTitle,
  thumbnailUrl,
  versionCount,
} from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const PAGE_DEFAULT = 50;
const PAGE_MAXIMUM = 200;
const TAGS_MAXIMUM = 50;
const AUTHORS_MAXIMUM = 20;
const Q_MAXIMUM = 500;

const sorts = SORTS.flatMap((sort) => [sort, `-${sort}` as const]);

export const foundItem = z
  .object({
    kind: itemKind,
    name: reportName.optional().meta({ description: "The report's name. Absent if it has none." }),
    code: code.meta({ description: "The code of the current version." }),
    title: reportTitle,
    version_count: versionCount,
    visibility,
    current_visibility: currentVisibility,
    ...filedIn,
    tags: attachedTags,
    creator: creator.meta({ description: "The user who published the report first. Null if the account was deleted." }),
    created_at: instant,
    updated_at: instant,
    thumbnail_url: thumbnailUrl,
    url: z.url().meta({ description: "The live link of a named report, or the version link of an unnamed report." }),
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
        creator: { slug: "ada", display_name: "Ada Lovelace" },
        created_at: "2026-03-01T09:30:00.000Z",
        updated_at: "2026-03-15T09:30:00.000Z",
        thumbnail_url: null,
        url: "https://content.example.org/@ada/weekly-sales/",
      },
    ],
  });

export type FoundItemEntry = z.output<typeof foundItem>;

/** The parameters of a search that can be saved. Times are texts, as they were given. */
export const searchFilters = {
  // Accepts any text, even text that no report can contain: it finds nothing.
  q: z
    .string()
    .refine((value) => countCharacters(value) <= Q_MAXIMUM, `must have at most ${Q_MAXIMUM} characters`)
    .optional()
    .meta({
      description: "The words to search for. All of them must match.",
      maxLength: Q_MAXIMUM,
      examples: ["weekly sales"],
    }),
  folder_id: text(100).optional().meta({ description: "Only reports in this folder. `none`: only unfiled reports." }),
  drawer_id: text(100)
    .optional()
    .meta({ description: "Only reports in the folders of this drawer. `none`: only unfiled reports." }),
  tag_id: z.array(text(100)).max(TAGS_MAXIMUM, `can be repeated at most ${TAGS_MAXIMUM} times`).optional().meta({
    description: "Only reports with this tag. Repeat it to require several tags. `none`: only untagged reports.",
  }),
  tag_scope: z
    .enum(["tag", "subtree"])
    .optional()
    .meta({ description: "`tag` (the default) matches a tag itself. `subtree` also matches its descendants." }),
  visibility: visibility.optional().meta({ description: "Only reports with this visibility." }),
  author: z
    .array(text(100))
    .max(AUTHORS_MAXIMUM, `can be repeated at most ${AUTHORS_MAXIMUM} times`)
    .optional()
    .meta({
      description: "Only reports that this user published first, by slug. Repeat it to allow several users.",
      examples: [["ada"]],
    }),
  since: timeText
    .optional()
    .meta({ description: "Only reports updated at or after this time.", examples: ["2026-03-01"] }),
  until: timeText.optional().meta({ description: "Only reports updated before this time.", examples: ["2026-04-01"] }),
  sort: z.enum(sorts).optional().meta({
    description:
      "The sort order: `updated` (the default, most recently updated first), `created`, `title` or `name`. A leading `-` reverses it.",
  }),
};

export const takesOnePlace = ({ folder_id, drawer_id }: { folder_id?: unknown; drawer_id?: unknown }) =>
  folder_id === undefined || drawer_id === undefined;
export const ONE_PLACE = { message: "Specify folder_id or drawer_id, not both" };

export const searchRoute = defineRoute({
  method: "GET",
  path: "/api/search",
  id: "search",
  summary: "Search reports",
  description:
    "Searches the reports of one workspace. Each word of `q` must occur in the report's name, current title or a code, or in the title of its folder, its drawer or one of its tags. Case is ignored, and parts of words match. The content of reports is not searched.",
  scope: "reports:read",
  query: z
    .object({
      owner: text(100).meta({ description: "The slug of the workspace to search.", examples: ["ada"] }),
      ...searchFilters,
      since: requestedTime.optional().meta({ ...searchFilters.since.meta() }),
      until: requestedTime.optional().meta({ ...searchFilters.until.meta() }),
      limit: pageLimit(PAGE_MAXIMUM).default(PAGE_DEFAULT).meta({ description: "Maximum number of reports per page." }),
      cursor: text(4000).optional().meta({ description: "The `next_cursor` of the previous page of the same search." }),
    })
    .refine(takesOnePlace, ONE_PLACE),
  repeatable: ["tag_id", "author"],
  body: nothing,
  response: z
    .object({
      items: z.array(foundItem).meta({ description: "The reports found, in the requested order." }),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: "Pass as `cursor` to get the next page. Null on the last page." }),
      searchedScope: z.string().meta({ description: "The slug of the workspace that was searched." }),
      fullText: z.literal(false).meta({ description: "Always false, because the content of reports is not searched." }),
    })
    .meta({ id: "SearchPage" }),
  failures: { 404: "The workspace, folder, drawer or tag does not exist, or the caller cannot access it." },
});
