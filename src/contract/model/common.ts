import * as z from "zod";
import { VISIBILITIES } from "../../domain/model/entities.ts";
import { CABINET_TITLE_CHARACTERS, countCharacters } from "../../domain/model/limits.ts";
import { CODE_PATTERN, REPORT_NAME_PATTERN } from "../../domain/model/names.ts";
import { isStorable } from "../../domain/model/storable-text.ts";
import { STORAGE_MODES } from "../../domain/model/storage-mode.ts";

/**
 * Accepts text that every database can store: no lone surrogates and no NUL. Messages are predicates, because the
 * caller puts the field's name before them.
 */
export const text = (maximum: number) =>
  z
    .string()
    .refine((value) => countCharacters(value) <= maximum, `must have at most ${maximum} characters`)
    .refine(isStorable, "must be valid Unicode text without NUL characters")
    .meta({ maxLength: maximum });

export const reportName = z
  .string()
  .regex(REPORT_NAME_PATTERN, "must have 1 to 63 lowercase letters, digits or hyphens, and can't start with a hyphen")
  .meta({ id: "GroupName", description: "The report's name. Unique across the service.", examples: ["weekly-sales"] });

/** A name to look up. It need not match the name pattern: an impossible name is not found. */
export const requestedName = text(1000).meta({ description: "The report's name.", examples: ["weekly-sales"] });

/** A code to look up. */
export const requestedCode = text(1000).meta({ description: "The code of a version.", examples: ["7Kd0aQ2mXw9LbT4e"] });

/** The current code that a report must have for a change to be applied. */
export const expectedCode = requestedCode
  .nullable()
  .optional()
  .meta({
    description:
      "Apply the change only if this is the report's current code. Use null to require that no report has the name yet. Otherwise the response is 409.",
    examples: ["7Kd0aQ2mXw9LbT4e"],
  });

/** A user to look up. */
export const requestedUserId = text(1000).meta({
  description: "The member's user ID.",
  examples: ["usr_Q3ZzD1mB0kXa7TgH"],
});

export const code = z
  .string()
  .regex(CODE_PATTERN)
  .meta({ id: "Code", description: "The permanent identifier of one version.", examples: ["7Kd0aQ2mXw9LbT4e"] });

export const storageMode = z.enum(STORAGE_MODES).meta({
  description:
    "The storage available to the report's pages in a browser. `none`: no storage. `memory`: storage that is cleared when the page is closed or reloaded.",
});

export const visibility = z.enum(VISIBILITIES).meta({
  id: "Visibility",
  description:
    "Who can read the report. `public`: anyone with the link. `org`: members of the organization. `private`: the person who published it and, in an organization, its owners and admins.",
});

export const instant = z.iso
  .datetime()
  .meta({ id: "Instant", description: "Date and time in UTC (ISO 8601).", examples: ["2026-03-01T09:30:00.000Z"] });

/** Accepts a time as a date or with its time of day. */
export const timeText = z.union(
  [z.iso.datetime({ offset: true }), z.iso.date()],
  "must be a date or time such as 2026-03-01T09:30:00Z",
);
export const requestedTime = timeText.transform((value) => Date.parse(value));

const DAY = 86_400_000;

/** Accepts a time until which something lasts. A date means the end of that day, as people mean it. */
export const requestedEnd = timeText.transform((value) => Date.parse(value) + (value.includes("T") ? 0 : DAY - 1));

/** An ID to look up. */
export const requestedId = text(1000);

/** The slug of a workspace to look up. */
export const requestedOwner = text(1000).meta({ description: "The workspace's slug.", examples: ["ada"] });

/** A label that people chose, with surrounding white space removed. */
export const label = (maximum: number) =>
  z
    .string()
    .trim()
    .refine((value) => value !== "", "can't be empty")
    .refine((value) => countCharacters(value) <= maximum, `must have at most ${maximum} characters`)
    .refine(isStorable, "must be valid Unicode text without NUL characters")
    .meta({ description: `1 to ${maximum} characters.` });

/** The title of a drawer, folder or tag. */
export const cabinetTitle = label(CABINET_TITLE_CHARACTERS).meta({
  description: `1 to ${CABINET_TITLE_CHARACTERS} characters.`,
  examples: ["Sales"],
});

export const itemCount = z.int().min(0).meta({ description: "Number of reports that the caller can read." });

export const folderLabel = z
  .string()
  .nullable()
  .meta({
    description: "The folder as a label, `Drawer/Folder`, or `Folder` at the root. Null if the report is not filed.",
    examples: ["Sales/2026"],
  });

/** Accepts the number of entries on a page. */
export const pageLimit = (maximum: number) =>
  z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(1, `must be between 1 and ${maximum}`)
    .max(maximum, `must be between 1 and ${maximum}`);

/** The body of every failure. */
export const failure = z
  .object({
    error: z.string().meta({ description: "A human-readable message: what happened and what to do about it." }),
  })
  .meta({ id: "Failure", examples: [{ error: 'Report "weekly-sales" not found. Check the name and your access.' }] });

export const nothing = z.object({});
