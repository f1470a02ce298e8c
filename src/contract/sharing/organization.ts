import * as z from "zod";
import { nothing, requestedCode, requestedName } from "../model/common.ts";
import { defineRoute } from "../model/route.ts";

export const shareWithOrganizationRoute = defineRoute({
  method: "POST",
  path: "/api/share/org",
  id: "shareWithOrganization",
  summary: "Share with an organization",
  description:
    "Lets the members of an organization read a report, or makes the report private again. In an organization's workspace these are its members; in a person's, the members of all organizations the person belongs to. `name` changes a named report with all its versions; `code` changes only that version or unnamed report.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      name: requestedName.optional(),
      code: requestedCode.optional(),
      shared: z.boolean().meta({ description: "Whether to share the report. `false` makes it private." }),
    })
    .refine(({ name, code }) => (name === undefined) !== (code === undefined), "Specify either name or code")
    .meta({ id: "ShareWithOrganization", examples: [{ name: "weekly-sales", shared: true }] }),
  response: z.object({
    ok: z.literal(true),
    visibility: z.enum(["org", "private"]).meta({ description: "The new visibility." }),
  }),
  failures: {
    403: "The access token does not have the required scope, or the caller cannot change the report's visibility.",
    404: "The report does not exist, or the caller cannot access it.",
  },
});
