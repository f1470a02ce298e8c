import * as z from "zod";
import { PEOPLE_PER_CALL, PEOPLE_PER_REPORT } from "../../domain/model/limits.ts";
import { instant, nothing, text, visibility } from "../model/common.ts";
import { displayName, workspaceSlug } from "../model/fields.ts";
import { hasOneReference, ONE_REFERENCE, reference } from "../model/references.ts";
import { defineRoute } from "../model/route.ts";

const emails = z
  .array(text(254))
  .max(PEOPLE_PER_CALL, `can have at most ${PEOPLE_PER_CALL} addresses`)
  .default([])
  .meta({ examples: [["grace@example.org"]] });

const person = z
  .object({
    email: z
      .string()
      .meta({ description: "The person's email address, in lowercase.", examples: ["grace@example.org"] }),
    display_name: displayName.meta({
      description: "The person's name. Null unless they belong to one of the caller's organizations.",
    }),
    added_at: instant,
  })
  .meta({ id: "SharedPerson" });

export type SharedPersonEntry = z.output<typeof person>;

const people = z
  .array(person)
  .meta({ description: "The people who can read it, in the order in which they were added." });

export const shareWithPeopleRoute = defineRoute({
  method: "POST",
  path: "/api/share/people",
  id: "shareWithPeople",
  summary: "Share with people",
  description: `Lets people read a report, or stops sharing it with them, whatever its visibility. They see it under \`GET /api/shared\` and cannot change it. A person without an account gets access when they sign in with a verified address. \`name\` shares a named report with all its versions; \`code\` shares only that version or unnamed report. At most ${PEOPLE_PER_CALL} addresses a call and ${PEOPLE_PER_REPORT} people a report.`,
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      ...reference,
      add: emails.meta({ description: "The addresses of people who get access." }),
      remove: emails.meta({ description: "The addresses of people who lose it." }),
    })
    .refine(hasOneReference, ONE_REFERENCE)
    .refine(({ add, remove }) => add.length + remove.length > 0, "Specify add or remove")
    .refine(
      ({ add, remove }) => add.length + remove.length <= PEOPLE_PER_CALL,
      `add and remove can have at most ${PEOPLE_PER_CALL} addresses together`,
    )
    .meta({ id: "ShareWithPeople", examples: [{ name: "weekly-sales", add: ["grace@example.org"] }] }),
  response: z.object({ ok: z.literal(true), people }),
  failures: {
    400: "A field is invalid, or too many people could read the report.",
    403: "The access token does not have the required scope, or the caller cannot share the report.",
    404: "The report does not exist, or the caller cannot access it.",
  },
});

const organization = z.object({ slug: workspaceSlug, display_name: displayName });

export const shareRoute = defineRoute({
  method: "GET",
  path: "/api/share",
  id: "share",
  summary: "Retrieve who can read a report",
  description:
    "Returns with whom a report is shared, by its `name`, or a version or an unnamed report, by its `code`. For those who can change it.",
  scope: "reports:read",
  query: z.object(reference).refine(hasOneReference, ONE_REFERENCE),
  body: nothing,
  response: z
    .object({
      visibility,
      org: organization.nullable().meta({
        description: "The only organization that can read it. Null for all organizations of its owner.",
      }),
      orgs: z.array(organization).meta({
        description: "The organizations that it can be shared with: in a person's workspace, those of the person.",
      }),
      people,
    })
    .meta({ id: "Share" }),
  failures: {
    403: "The caller can read the report but cannot share it.",
    404: "The report does not exist, or the caller cannot access it.",
  },
});

export type ShareEntry = z.output<typeof shareRoute.response>;
