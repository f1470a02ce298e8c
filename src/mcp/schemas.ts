import { z } from "zod";

/** Schemas that several tools share, described for agents. */

export const name = z.string().max(1000).describe("Name of a report, such as weekly-sales.");

export const code = z
  .string()
  .max(1000)
  .describe("Code of one version: 16 characters that never change, such as 7Kd0aQ2mXw9LbT4e.");

export const owner = z
  .string()
  .max(1000)
  .optional()
  .describe("Slug of the workspace (default: the user's own). See list_workspaces.");

export const reference = { name: name.optional(), code: code.optional() };

export const ONE_REFERENCE = "pass exactly one of name and code";

export const hasOneReference = (given: { name?: string | undefined; code?: string | undefined }): boolean =>
  (given.name === undefined) !== (given.code === undefined);

export const items = z
  .array(z.strictObject(reference).refine(hasOneReference, ONE_REFERENCE))
  .min(1)
  .max(200)
  .describe("Reports of one workspace, each by name or code. If one fails, none is changed.");

export const visibility = z
  .enum(["public", "org", "private"])
  .describe(
    "Who can read the report. public: anyone with the link. org: members of the organization. private: its publisher only.",
  );

export const storage = z
  .enum(["none", "memory"])
  .describe(
    "memory: pages get a temporary localStorage, sessionStorage and document.cookie. Use it for pages that stay blank without them. none: pages get no storage.",
  );

export const tags = z.array(z.object({ id: z.string(), title: z.string() }));

export const nextOffset = z.int().nullable().describe("Offset of the next part; null at the end.");

export const offset = z.int().min(0).default(0).describe("next_offset of the previous part; 0 for the first part.");

const PART_DEFAULT = 20_000;
const PART_MAXIMUM = 100_000;

export const partLimit = z
  .int()
  .min(100)
  .max(PART_MAXIMUM)
  .default(PART_DEFAULT)
  .describe("Maximum number of characters (of extracted text) or bytes (of other content).");

export const pageLimit = z.int().min(1).max(200).default(50).describe("Maximum number of entries.");

export const expectedCode = code
  .optional()
  .describe(
    "Code of the version that you expect to be current. If another version is current, the call fails and changes nothing.",
  );
