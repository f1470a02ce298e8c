import * as z from "zod";
import { nothing, requestedCode, requestedName } from "../model/common.ts";
import { defineRoute } from "../model/route.ts";

const settable = z.enum(["public", "private"]).meta({ description: "The new visibility." });

export const setVisibilityRoute = defineRoute({
  method: "POST",
  path: "/api/set-visibility",
  id: "setVisibility",
  summary: "Change visibility",
  description:
    "Makes a report public or private. `name` changes a named report with all its versions; `code` changes only that version or unnamed report.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ visibility: settable, name: requestedName.optional(), code: requestedCode.optional() })
    .refine(({ name, code }) => (name === undefined) !== (code === undefined), "Specify either name or code")
    .meta({ id: "SetVisibility", examples: [{ name: "weekly-sales", visibility: "public" }] }),
  response: z.object({ ok: z.literal(true), visibility: settable }),
  failures: {
    400: "The visibility is neither `public` nor `private`.",
    403: "The access token does not have the required scope, or the caller cannot change the report's visibility.",
    404: "The report does not exist, or the caller cannot access it.",
  },
});
