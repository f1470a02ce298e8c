import { z } from "zod";

/** Schemas that several tools share, described for agents. */

const MAX_REFERENCE = 4000;

/** How a tool takes one report: whatever the user or another tool calls it. */
export const report = z.string().trim().min(1).max(MAX_REFERENCE).describe("Name, name@2, code, link or title.");

/** What results call a report, accepted as arguments too. */
export const REPORT_ALIASES = { name: "report", code: "report" };

/** Names several reports, for tools that change many. */
export const REPORTS_ALIASES = { name: "reports", code: "reports", report: "reports" };

const label = z.string().trim().min(1).max(1000);

/** References as they were passed before, with one of `name` and `code`. */
const formerReference = z
  .strictObject({ name: label.optional(), code: label.optional() })
  .transform(({ name, code }) => name ?? code ?? "");

export const reports = z
  .array(
    z.preprocess((given) => {
      const former = formerReference.safeParse(given);
      return former.success && former.data !== "" ? former.data : given;
    }, z.string().trim().min(1).max(MAX_REFERENCE)),
  )
  .min(1)
  .max(200)
  .describe("Reports of one workspace.");

export const name = z.string();
export const code = z.string();
export const owner = label.optional().describe("Workspace slug (default: own).");

/** A version as arguments name it: a number, a code, a link or `name@2`. */
export const version = z
  .union([z.string().trim().min(1).max(4000), z.int().min(1).max(2_147_483_647)])
  .transform(String);

export const visibility = z.enum(["public", "org", "private"]);

export const storage = z.enum(["none", "memory"]).describe("memory: for pages that need localStorage.");

export const tags = z.array(z.object({ id: z.string(), title: z.string() }));
export const tagLabels = z.array(label).max(100);

const PART_DEFAULT = 20_000;
const PART_MAXIMUM = 100_000;

export const offset = z.int().min(0).default(0);
export const partLimit = z.int().min(100).max(PART_MAXIMUM).default(PART_DEFAULT);
export const pageLimit = z.int().min(1).max(200).default(50);

export const expectedCode = z.string().max(1000).optional().describe("Fail unless this version is current.");

const filterText = (description: string) => z.string().max(500).optional().describe(description);

/** What `search_reports` filters by, and what bulk tools take as `matching`. */
export const filters = {
  q: filterText("Words that are all in name, title, folder or tags."),
  folder: filterText('Folder, drawer ("Drawer/"), or "none" for unfiled.'),
  tags: tagLabels.optional().describe('All of these tags; ["none"] for untagged.'),
  without_tags: tagLabels.optional().describe("None of these."),
  author: filterText('User slug, or "me".'),
  visibility: visibility.optional(),
  since: filterText("Updated since this day, such as 2026-12-31 (UTC)."),
  until: filterText("Updated before it."),
  created_since: z.string().max(500).optional(),
  created_before: z.string().max(500).optional(),
  name_prefix: z.string().max(100).optional(),
};

const FILTER_NAMES = Object.keys(filters).join(", ");

export const matching = z
  .strictObject(filters, {
    error: ({ code, keys }) =>
      code === "unrecognized_keys"
        ? `unknown filter ${z.array(z.string()).parse(keys).join(", ")}; the filters are ${FILTER_NAMES}`
        : undefined,
  })
  .optional()
  .meta({ advertised: "object" })
  .describe('Instead of reports: filters as for search_reports, such as {"tags": ["Draft"]}.');

export const expectedCount = z.int().min(1).optional().describe("How many match. Without it, matching only counts.");
