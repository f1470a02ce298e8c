import { z } from "zod";
import { VISIBILITIES } from "../../domain/model/entities.ts";
import { CABINET_TITLE_CHARACTERS, countCharacters } from "../../domain/model/limits.ts";
import { CODE_PATTERN, GROUP_NAME_PATTERN } from "../../domain/model/names.ts";
import { isStorable } from "../../domain/model/storable-text.ts";
import { STORAGE_MODES } from "../../domain/model/storage-mode.ts";

/**
 * Text that every database can keep: no lone surrogates and no NUL. Messages are predicates: the field's name is put
 * before them.
 */
export const text = (maximum: number) =>
  z
    .string()
    .refine((value) => countCharacters(value) <= maximum, `must have at most ${maximum} characters`)
    .refine(isStorable, "must be valid text without NUL")
    .meta({ maxLength: maximum });

export const groupName = z
  .string()
  .regex(GROUP_NAME_PATTERN, "must be 1 to 63 lower-case letters, digits or hyphens and must not start with a hyphen")
  .meta({ id: "GroupName", description: "A group's name, unique across the service.", examples: ["weekly-sales"] });

/** A name to look up: one that could never exist is simply not found. */
export const soughtName = text(1000).meta({ description: "The group's name.", examples: ["weekly-sales"] });

/** A code to look up. */
export const soughtCode = text(1000).meta({ description: "A report's code.", examples: ["7Kd0aQ2mXw9LbT4e"] });

/** At which code a group has to be for a change of it to be made. */
export const expectedCode = soughtCode
  .nullable()
  .optional()
  .meta({
    description:
      "The change is made only if this is the group's current code at that moment; null: only if there is no such group.",
    examples: ["7Kd0aQ2mXw9LbT4e"],
  });

/** A user to look up. */
export const soughtUserId = text(1000).meta({ description: "The member's id.", examples: ["usr_Q3ZzD1mB0kXa7TgH"] });

export const code = z
  .string()
  .regex(CODE_PATTERN)
  .meta({ id: "Code", description: "Names one version for ever.", examples: ["7Kd0aQ2mXw9LbT4e"] });

export const storageMode = z.enum(STORAGE_MODES).meta({
  description: "What pages that browsers open have for storage: `none`, or `memory`, which forgets with the page.",
});

export const visibility = z.enum(VISIBILITIES).meta({
  id: "Visibility",
  description: "`public`: anyone with the link. `org`: members of the organization. `private`: whoever made it.",
});

export const instant = z.iso
  .datetime()
  .meta({ id: "Instant", description: "ISO 8601, in UTC.", examples: ["2026-03-01T09:30:00.000Z"] });

/** An id to look up. */
export const soughtId = text(1000);

/** A workspace to look up. */
export const soughtOwner = text(1000).meta({ description: "The workspace's slug.", examples: ["ada"] });

/** What people call something, without the blanks around it. */
export const label = (maximum: number) =>
  z
    .string()
    .trim()
    .refine((value) => value !== "", "must not be empty")
    .refine((value) => countCharacters(value) <= maximum, `must have at most ${maximum} characters`)
    .refine(isStorable, "must be valid text without NUL")
    .meta({ description: `1 to ${maximum} characters.` });

/** Title of a drawer, folder or tag. */
export const cabinetTitle = label(CABINET_TITLE_CHARACTERS).meta({
  description: `1 to ${CABINET_TITLE_CHARACTERS} characters.`,
  examples: ["Sales"],
});

export const itemCount = z.int().min(0).meta({ description: "Of those items that the caller may read." });

/** A field that may be empty but is always there. */
export const folderLabel = z
  .string()
  .nullable()
  .meta({ description: "The folder as a label: `Drawer/Folder`, or `Folder` at the root.", examples: ["Sales/2026"] });

/** How many entries a page has. */
export const pageLimit = (maximum: number) =>
  z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(1, `must be from 1 to ${maximum}`)
    .max(maximum, `must be from 1 to ${maximum}`);

/** The body of every failure. */
export const failure = z
  .object({ error: z.string().meta({ description: "One sentence for a person." }) })
  .meta({ id: "Failure", examples: [{ error: "There is no such group." }] });

export const nothing = z.object({});
