import { z } from "zod";

/** What tools take and give, described for agents. */

export const name = z
  .string()
  .max(1000)
  .describe("Name of a report that was published under a name, such as weekly-sales.");

export const code = z
  .string()
  .max(1000)
  .describe("The 16 characters that name one version for ever, such as 7Kd0aQ2mXw9LbT4e.");

/** Of a workspace; left out it is the user's own. */
export const owner = z
  .string()
  .max(1000)
  .optional()
  .describe("Slug of the workspace; the user's own unless given. list_workspaces names them.");

export const reference = { name: name.optional(), code: code.optional() };

export const ONE_REFERENCE = "give exactly one of name and code";

export const hasOneReference = (given: { name?: string | undefined; code?: string | undefined }): boolean =>
  (given.name === undefined) !== (given.code === undefined);

/** Reports that are filed or tagged together. */
export const items = z
  .array(z.strictObject(reference).refine(hasOneReference, ONE_REFERENCE))
  .min(1)
  .max(200)
  .describe("The reports, all of one workspace, each by its name or its code. All are changed, or none.");

export const visibility = z
  .enum(["public", "org", "private"])
  .describe("public: anyone with the link; org: members of the organization; private: whoever made it.");

export const storage = z
  .enum(["none", "memory"])
  .describe(
    "memory: pages have a localStorage, sessionStorage and document.cookie that forget when the page is left; for pages of tools that stay blank without them. none: they have not.",
  );

export const tags = z.array(z.object({ id: z.string(), title: z.string() }));

export const nextOffset = z
  .int()
  .nullable()
  .describe("Where the next part begins: give it as offset. Null at the end.");

export const offset = z.int().min(0).default(0).describe("next_offset of the part before; 0 begins at the beginning.");

const PART_DEFAULT = 20_000;
const PART_MAXIMUM = 100_000;

export const partLimit = z
  .int()
  .min(100)
  .max(PART_MAXIMUM)
  .default(PART_DEFAULT)
  .describe("At most so many characters (of extracted text) or bytes (of anything else).");

export const pageLimit = z.int().min(1).max(200).default(50).describe("At most so many entries.");

export const expectedCode = code
  .optional()
  .describe(
    "The version you take to be current: if somebody has changed that meanwhile, nothing is done and you are told.",
  );
