import * as z from "zod";
import { nothing } from "../model/common.ts";
import { defaultVisibility } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";
import { organizationSlug } from "./organizations.ts";

export const setDefaultVisibilityRoute = defineRoute({
  method: "POST",
  path: "/api/settings/set-default-visibility",
  id: "setDefaultVisibility",
  summary: "Set the default visibility",
  description:
    "Sets who can read new reports of an organization whose upload does not specify a visibility. Reports that already exist do not change. Requires the role `owner` or `admin`.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ owner: organizationSlug, visibility: defaultVisibility })
    .meta({ id: "SetDefaultVisibility", examples: [{ owner: "analytics", visibility: "org" }] }),
  response: z.object({ ok: z.literal(true), default_visibility: defaultVisibility }),
  failures: {
    400: "The workspace belongs to a person, or a field is invalid.",
    403: "The access token does not have the required scope, or the caller is neither an owner nor an admin of the organization.",
    404: "The workspace does not exist, or the caller is not a member.",
  },
});
