import * as z from "zod";
import { CHANGE_KINDS, LARGEST_COMPARED_PAGE } from "../../domain/reviews/changes.ts";
import { code, nothing, text } from "../model/common.ts";
import { versionNo } from "../model/fields.ts";
import { hasOneReference, ONE_REFERENCE, reference } from "../model/references.ts";
import { defineRoute } from "../model/route.ts";
import { anchor } from "./anchor.ts";

const requestedVersion = text(1000).optional();

const index = z.int().min(0);
const place = z
  .object({
    block: index.meta({ description: "Index of the block in the page, from 0." }),
    row: index.optional().meta({ description: "Index of the row in a table, from 0." }),
    column: index.optional().meta({ description: "Index of the column in a table, from 0." }),
    start: index.optional().meta({ description: "Start in the block's text, in UTF-16 units." }),
    end: index.optional().meta({ description: "End in the block's text, in UTF-16 units." }),
  })
  .nullable();

const blockKind = z.enum(["heading", "paragraph", "item", "code", "table", "image", "chart"]);

const change = z
  .object({
    kind: z.enum(CHANGE_KINDS).meta({ description: "What changed.", examples: ["cell"] }),
    block: blockKind.meta({ description: "The kind of block that the change is in.", examples: ["table"] }),
    headings: z
      .array(z.string())
      .meta({ description: "The headings above it, outer ones first.", examples: [["Sales"]] }),
    label: z.string().meta({ description: "What the place is called, if anything.", examples: ["Revenue, March"] }),
    before: z.string().nullable().meta({ description: "What was there before. Null if nothing was." }),
    after: z.string().nullable().meta({ description: "What is there now. Null if nothing is." }),
    difference: z
      .number()
      .nullable()
      .meta({ description: "How much a number changed, if it did.", examples: [100] }),
    percentage: z
      .number()
      .nullable()
      .meta({ description: "The difference as a percentage of the number before.", examples: [8.1] }),
    old_place: place,
    new_place: place,
    anchor: anchor.nullable().optional().meta({
      description: "Its place in the newer version, if `anchors` is `true`. Null if it can't be determined.",
    }),
  })
  .meta({ id: "Change" });

const comparedVersion = z.object({ code, version_no: versionNo });

const changes = z
  .object({
    from: comparedVersion,
    to: comparedVersion,
    path: z.string().meta({ description: "The compared page.", examples: ["index.html"] }),
    rendered: z.literal(false).meta({
      description: "Whether the pages were compared as a browser renders them. This endpoint compares their files.",
    }),
    drawn_by_scripts: z
      .boolean()
      .meta({ description: "Whether scripts draw parts of the page, so that readers may see more changes." }),
    changed_files: z.array(z.string()).meta({
      description: "The paths of the files that differ, in either version.",
      examples: [["index.html", "data.json"]],
    }),
    summary: z
      .string()
      .meta({ description: "The changes in one line.", examples: ["3 numbers, 1 row added, chart 2 changed"] }),
    total: z
      .int()
      .min(0)
      .meta({ description: "Number of changes.", examples: [5] }),
    truncated: z.boolean().meta({ description: "Whether there are more changes than are listed." }),
    changes: z.array(change),
    markdown: z.string().optional().meta({ description: "The changes as Markdown, if `format` is `markdown`." }),
  })
  .meta({ id: "Changes" });

export type ChangesEntry = z.output<typeof changes>;
export type ChangeEntry = z.output<typeof change>;

export const changesRoute = defineRoute({
  method: "GET",
  path: "/api/changes",
  id: "changes",
  summary: "List what changed between two versions",
  description: `Compares a page of two versions block by block: headings, texts, numbers, tables by row and column, images and charts. Differences in IDs, class names, white space, attribute order and timestamps don't count. Pages of at most ${LARGEST_COMPARED_PAGE / 1024 / 1024} MB. Lists at most 1,000 changes.`,
  scope: "reports:read",
  query: z
    .object({
      ...reference,
      from: requestedVersion.meta({
        description: "The older version: its number or code. Default: the one before `to`.",
        examples: ["3"],
      }),
      to: requestedVersion.meta({
        description:
          "The newer version: its number or code. Default: the version that `code` names, or else the current one.",
        examples: ["4"],
      }),
      path: text(1000)
        .optional()
        .meta({ description: "The page to compare. Default: `index.html`.", examples: ["index.html"] }),
      anchors: z
        .enum(["true", "false"])
        .default("false")
        .meta({ description: "Whether to return the place of each change, as an anchor for comments." }),
      format: z
        .enum(["json", "markdown"])
        .optional()
        .meta({ description: "`markdown` adds the changes as Markdown, for a comment on a pull request." }),
    })
    .refine(hasOneReference, ONE_REFERENCE),
  body: nothing,
  response: changes,
  failures: {
    404: "The report, a version or the page does not exist, or the caller cannot access it.",
    413: "A page is too large to compare.",
    503: "The comparison took too long, or too many are waiting.",
  },
});
