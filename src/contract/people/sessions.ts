import { z } from "zod";
import { instant, nothing, soughtId } from "../model/common.ts";
import { defineRoute } from "../model/route.ts";

const session = z
  .object({
    id: z.string().meta({ description: "Names the session, and opens nothing." }),
    is_current: z.boolean().meta({ description: "Whether it is the one that asks." }),
    user_agent: z.string().nullable().meta({ description: "As which the browser introduced itself." }),
    address: z.string().nullable().meta({
      description:
        "The network address from where the browser signed in, of IPv6 the first 64 bits; null if not known.",
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
  summary: "List where the caller is signed in",
  description: "The session that asks first, then the newest.",
  scope: null,
  credential: "session",
  query: nothing,
  body: nothing,
  response: z
    .object({ sessions: z.array(session).meta({ description: "The one that asks first, then the newest." }) })
    .meta({ id: "SessionList" }),
  failures: {},
});

export const endSessionRoute = defineRoute({
  method: "POST",
  path: "/api/sessions/end",
  id: "endSession",
  summary: "End one of the caller's sessions",
  description: "At once, with every private page that is open in it. It may be the one that asks.",
  scope: null,
  credential: "session",
  query: nothing,
  body: z
    .object({ id: soughtId.meta({ description: "The session's id." }) })
    .meta({ id: "EndSession", examples: [{ id: "R2dOe0aQ2mXw9LbT4e7Kd0aQ" }] }),
  response: z.object({ ok: z.literal(true) }),
  failures: { 404: "The caller has no such session." },
});

export const endOtherSessionsRoute = defineRoute({
  method: "POST",
  path: "/api/sessions/end-others",
  id: "endOtherSessions",
  summary: "End all of the caller's sessions but the one that asks",
  description: "At once, with every private page that is open in them.",
  scope: null,
  credential: "session",
  query: nothing,
  body: nothing,
  response: z.object({ ok: z.literal(true), ended: z.int().min(0).meta({ description: "How many there were." }) }),
  failures: {},
});
