import * as z from "zod";
import { nothing } from "../model/common.ts";
import { defineRoute } from "../model/route.ts";

export const configRoute = defineRoute({
  method: "GET",
  path: "/api/config",
  id: "config",
  summary: "Retrieve the configuration",
  description: "Returns the address of the content host. Requires no authentication.",
  scope: null,
  query: nothing,
  body: nothing,
  response: z
    .object({
      publicBaseUrl: z.url().meta({ description: "The address of the content host, where reports are served." }),
    })
    .meta({ id: "Config", examples: [{ publicBaseUrl: "http://127.0.0.1:4001" }] }),
  failures: {},
});
