import { z } from "zod";
import { nothing, soughtCode } from "../model/common.ts";
import { defineRoute } from "../model/route.ts";

export const deleteCodeRoute = defineRoute({
  method: "POST",
  path: "/api/delete-code",
  id: "deleteCode",
  summary: "Delete one version or standalone report",
  description:
    "When it was its group's current version, the highest remaining one becomes current; the last one takes the group along.",
  scope: "reports:delete",
  query: nothing,
  body: z.object({ code: soughtCode }).meta({ id: "DeleteCode", examples: [{ code: "7Kd0aQ2mXw9LbT4e" }] }),
  response: z.object({
    ok: z.literal(true),
    deleted: z.boolean().meta({ description: "False when there is no such report of the caller's." }),
  }),
  failures: { 403: "The token lacks the scope, or the report is someone else's to delete." },
});
