import { z } from "zod";
import { nothing, soughtCode, soughtName } from "../model/common.ts";
import { defineRoute } from "../model/route.ts";

const settable = z.enum(["public", "private"]).meta({ description: "Who may read it from now on." });

export const setVisibilityRoute = defineRoute({
  method: "POST",
  path: "/api/set-visibility",
  id: "setVisibility",
  summary: "Make a group or a report public or private",
  description: "By `name`, the group and all its versions; by `code`, that one version or standalone report alone.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ visibility: settable, name: soughtName.optional(), code: soughtCode.optional() })
    .refine(({ name, code }) => (name === undefined) !== (code === undefined), "Give exactly one of name and code")
    .meta({ id: "SetVisibility", examples: [{ name: "weekly-sales", visibility: "public" }] }),
  response: z.object({ ok: z.literal(true), visibility: settable }),
  failures: {
    400: "The visibility is neither public nor private.",
    403: "The token lacks the scope, or the report is someone else's to share.",
    404: "There is no such group or report, or it belongs to another account.",
  },
});
