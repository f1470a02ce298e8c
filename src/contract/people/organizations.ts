import { z } from "zod";
import { nothing, text } from "../model/common.ts";
import { defineRoute } from "../model/route.ts";
import { owner } from "../reports/lists.ts";

/** An organization to look up. */
export const organizationSlug = text(1000).meta({ description: "The organization's slug.", examples: ["analytics"] });

export const createOrganizationRoute = defineRoute({
  method: "POST",
  path: "/api/orgs/create",
  id: "createOrganization",
  summary: "Make an organization",
  description: "The caller owns it. Takes a session, or a token for the caller's own workspace.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      slug: text(1000).meta({ description: "Names the organization in links; unique across the service." }),
      name: text(1000).meta({ description: "As people read it." }),
    })
    .meta({ id: "CreateOrganization", examples: [{ slug: "analytics", name: "Analytics" }] }),
  response: owner,
  failures: {
    400: "A field is missing or wrong.",
    403: "The token lacks the scope, or is one for an organization.",
    409: "The slug is taken.",
  },
});
