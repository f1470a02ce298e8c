import * as z from "zod";
import { ACCESS_MESSAGE_CHARACTERS, ACCESS_REQUESTS_PER_HOUR } from "../../domain/model/limits.ts";
import { code, instant, nothing, reportName, requestedId, text } from "../model/common.ts";
import { displayName, reportTitle, workspaceSlug } from "../model/fields.ts";
import { hasOneReference, ONE_REFERENCE, reference } from "../model/references.ts";
import { defineRoute } from "../model/route.ts";

const requestId = { description: "The request's ID.", examples: ["req_Q3ZzD1mB0kXa7TgH"] };
const noSuchRequest = "The request does not exist, or the caller cannot answer it.";

export const requestAccessRoute = defineRoute({
  method: "POST",
  path: "/api/share/requests/create",
  id: "requestAccess",
  summary: "Request access",
  description: `Asks those who can share a report to let the caller read it. The answer is the same whether or not there is such a report. Asking again replaces the message. At most ${ACCESS_REQUESTS_PER_HOUR} requests an hour.`,
  scope: "reports:read",
  query: nothing,
  body: z
    .object({
      ...reference,
      message: text(ACCESS_MESSAGE_CHARACTERS)
        .optional()
        .meta({ description: "A message to those who answer.", examples: ["I need the figures for Monday."] }),
    })
    .refine(hasOneReference, ONE_REFERENCE)
    .meta({ id: "RequestAccess", examples: [{ name: "weekly-sales" }] }),
  response: z.object({ ok: z.literal(true) }),
  failures: {
    400: "A field is invalid, or the caller's email address is not verified.",
    429: "The caller has asked too often. `Retry-After` says when to try again.",
  },
});

const accessRequest = z
  .object({
    id: z.string().meta(requestId),
    name: reportName.optional().meta({ description: "The report's name. Absent if it has none." }),
    code: code.meta({ description: "The code of the version that was asked for, or of the current one." }),
    is_version: z.boolean().meta({ description: "Whether only this version of a named report was asked for." }),
    title: reportTitle,
    owner_slug: workspaceSlug,
    email: z.string().meta({ description: "The verified address of the person who asks." }),
    display_name: displayName.meta({ description: "The name that the person has given. Null if none is set." }),
    message: z.string().nullable().meta({ description: "The person's message. Null without one." }),
    created_at: instant,
  })
  .meta({ id: "AccessRequest" });

export type AccessRequestEntry = z.output<typeof accessRequest>;

export const accessRequestsRoute = defineRoute({
  method: "GET",
  path: "/api/share/requests",
  id: "accessRequests",
  summary: "List requests for access",
  description: "Returns the open requests for reports that the caller can share, newest first, at most 200.",
  scope: "reports:read",
  query: nothing,
  body: nothing,
  response: z
    .object({ requests: z.array(accessRequest).meta({ description: "The open requests, newest first." }) })
    .meta({ id: "AccessRequestList" }),
  failures: {},
});

const answered = z.object({ ok: z.literal(true) });

export const acceptRequestRoute = defineRoute({
  method: "POST",
  path: "/api/share/requests/accept",
  id: "acceptRequest",
  summary: "Accept a request for access",
  description: "Shares the report with the person who asks, as `POST /api/share/people` does.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ id: requestedId.meta(requestId) }).meta({
    id: "AcceptRequest",
    examples: [{ id: "req_Q3ZzD1mB0kXa7TgH" }],
  }),
  response: answered,
  failures: { 400: "Too many people could read the report.", 404: noSuchRequest },
});

export const declineRequestRoute = defineRoute({
  method: "POST",
  path: "/api/share/requests/decline",
  id: "declineRequest",
  summary: "Decline a request for access",
  description: "Removes a request. The person is not notified, and asking again has no effect for 7 days.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ id: requestedId.meta(requestId) }).meta({
    id: "DeclineRequest",
    examples: [{ id: "req_Q3ZzD1mB0kXa7TgH" }],
  }),
  response: answered,
  failures: { 404: noSuchRequest },
});
