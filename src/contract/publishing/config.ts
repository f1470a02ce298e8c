import { z } from "zod";
import { nothing } from "../model/common.ts";
import { defineRoute } from "../model/route.ts";

export const configRoute = defineRoute({
  method: "GET",
  path: "/api/config",
  id: "config",
  summary: "Where published content is served",
  description: "Needs no token.",
  scope: null,
  query: nothing,
  body: nothing,
  response: z
    .object({ publicBaseUrl: z.url().meta({ description: "The content host's address." }) })
    .meta({ id: "Config", examples: [{ publicBaseUrl: "http://127.0.0.1:4001" }] }),
  failures: {},
});
