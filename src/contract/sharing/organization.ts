import * as z from "zod";
import { nothing, requestedOwner } from "../model/common.ts";
import { workspaceSlug } from "../model/fields.ts";
import { hasOneReference, ONE_REFERENCE, reference } from "../model/references.ts";
import { defineRoute } from "../model/route.ts";

export const shareWithOrganizationRoute = defineRoute({
  method: "POST",
  path: "/api/share/org",
  id: "shareWithOrganization",
  summary: "Share with an organization",
  description:
    "Lets the members of an organization read a report, or makes the report private again. In an organization's workspace these are its members. In a person's workspace, `org` names one of the person's organizations; without it, the report is shared with all of them. `name` changes a named report with all its versions; `code` changes only that version or unnamed report.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      ...reference,
      org: requestedOwner.optional().meta({
        description: "The slug of the organization. Omit it to share with all organizations of the person.",
        examples: ["acme"],
      }),
      shared: z.boolean().meta({ description: "Whether to share the report. `false` makes it private." }),
    })
    .refine(hasOneReference, ONE_REFERENCE)
    .meta({ id: "ShareWithOrganization", examples: [{ name: "weekly-sales", shared: true }] }),
  response: z.object({
    ok: z.literal(true),
    visibility: z.enum(["org", "private"]).meta({ description: "The new visibility." }),
    org: workspaceSlug.nullable().meta({
      description: "The slug of the only organization that can read it. Null for all, or if it is private.",
      examples: ["acme"],
    }),
  }),
  failures: {
    400: "A field is invalid, or the report belongs to another organization than `org`.",
    403: "The access token does not have the required scope, or the caller cannot change the report's visibility.",
    404: "The report or the organization does not exist, or the caller cannot access it.",
  },
});
