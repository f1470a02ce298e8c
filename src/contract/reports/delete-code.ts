import * as z from "zod";
import { nothing, requestedCode } from "../model/common.ts";
import { defineRoute } from "../model/route.ts";

export const deleteCodeRoute = defineRoute({
  method: "POST",
  path: "/api/delete-code",
  id: "deleteCode",
  summary: "Delete a version",
  description:
    "Moves one version of a named report, or an unnamed report, to the trash. If it was the current version, the remaining version with the highest number becomes current. Deleting the last version deletes the report.",
  scope: "reports:delete",
  query: nothing,
  body: z.object({ code: requestedCode }).meta({ id: "DeleteCode", examples: [{ code: "7Kd0aQ2mXw9LbT4e" }] }),
  response: z.object({
    ok: z.literal(true),
    deleted: z.boolean().meta({ description: "False if the version does not exist, or the caller cannot access it." }),
  }),
  failures: {
    403: "The access token does not have the required scope, or the caller cannot delete the report.",
    409: "The version or its report is protected.",
  },
});
