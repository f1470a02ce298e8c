import * as z from "zod";
import { nothing, text } from "../model/common.ts";
import { defineRoute } from "../model/route.ts";
import { owner } from "../reports/lists.ts";

/** The slug of an organization to look up. */
export const organizationSlug = text(1000).meta({ description: "The organization's slug.", examples: ["analytics"] });

export const createOrganizationRoute = defineRoute({
  method: "POST",
  path: "/api/orgs/create",
  id: "createOrganization",
  summary: "Create an organization",
  description:
    "Creates an organization with the caller as its owner. Requires a browser session, or an access token for the caller's own workspace.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      slug: text(1000).meta({
        description:
          "The name of the organization in links: 1 to 39 lowercase letters, digits or hyphens. Unique across the service.",
      }),
      name: text(1000).meta({ description: "The organization's display name." }),
    })
    .meta({ id: "CreateOrganization", examples: [{ slug: "analytics", name: "Analytics" }] }),
  response: owner,
  failures: {
    400: "A field is missing or invalid.",
    403: "The access token does not have the required scope, or belongs to an organization.",
    409: "The slug is already taken.",
  },
});
