import * as z from "zod";
import { instant, nothing, requestedId } from "../model/common.ts";
import { defineRoute } from "../model/route.ts";

const session = z
  .object({
    id: z.string().meta({ description: "The session's ID. Grants no access." }),
    is_current: z.boolean().meta({ description: "Whether the request was made with this session." }),
    user_agent: z
      .string()
      .nullable()
      .meta({ description: "The `User-Agent` header that the browser sent when signing in." }),
    address: z.string().nullable().meta({
      description: "The IP address that the user signed in from (for IPv6, the first 64 bits). Null if unknown.",
    }),
    created_at: instant,
    expires_at: instant,
  })
  .meta({ id: "Session" });

export type SessionEntry = z.output<typeof session>;

export const sessionsRoute = defineRoute({
  method: "GET",
  path: "/api/sessions",
  id: "sessions",
  summary: "List sessions",
  description: "Returns the caller's browser sessions: the current one first, then the newest.",
  scope: null,
  credential: "session",
  query: nothing,
  body: nothing,
  response: z
    .object({ sessions: z.array(session).meta({ description: "The current session first, then the newest." }) })
    .meta({ id: "SessionList" }),
  hasSecrets: true,
  failures: {},
});

export const endSessionRoute = defineRoute({
  method: "POST",
  path: "/api/sessions/end",
  id: "endSession",
  summary: "End a session",
  description:
    "Signs out one of the caller's sessions, which can be the current one. Takes effect immediately, including in private reports that are open.",
  scope: null,
  credential: "session",
  query: nothing,
  body: z
    .object({ id: requestedId.meta({ description: "The session's ID." }) })
    .meta({ id: "EndSession", examples: [{ id: "R2dOe0aQ2mXw9LbT4e7Kd0aQ" }] }),
  response: z.object({ ok: z.literal(true) }),
  failures: { 404: "The caller has no session with this ID." },
});

export const endOtherSessionsRoute = defineRoute({
  method: "POST",
  path: "/api/sessions/end-others",
  id: "endOtherSessions",
  summary: "End all other sessions",
  description:
    "Signs out all of the caller's sessions except the current one. Takes effect immediately, including in private reports that are open.",
  scope: null,
  credential: "session",
  query: nothing,
  body: nothing,
  response: z.object({
    ok: z.literal(true),
    ended: z.int().min(0).meta({ description: "Number of sessions that were ended." }),
  }),
  failures: {},
});
