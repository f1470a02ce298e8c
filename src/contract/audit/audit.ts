import * as z from "zod";
import { code, instant, pageLimit, requestedOwner, requestedTime, text } from "../model/common.ts";
import { defineDownload, defineRoute } from "../model/route.ts";

const PAGE_MAXIMUM = 200;

const detail = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);

const entry = z
  .object({
    at: instant,
    action: z.string().meta({
      description: "What happened, as noun and verb. Later versions can add actions.",
      examples: ["report.publish", "report.set_visibility", "member.add", "token.revoke", "session.fail"],
    }),
    workspace: z.string().nullable().meta({ description: "The slug of the workspace. Null if it concerns none." }),
    actor: z
      .string()
      .nullable()
      .meta({ description: "The slug of the user who acted. Null for the server and its administrators' commands." }),
    actor_id: z.string().nullable().meta({ description: "The ID of the user who acted." }),
    credential: z
      .object({
        kind: z.string().meta({
          description:
            "`session`, `token`, `password`, `single sign-on`, `command line`, `none` for visitors, or `server` for the server itself.",
        }),
        id: z.string().nullable().meta({ description: "The ID of the session or access token." }),
        name: z
          .string()
          .nullable()
          .meta({ description: "The access token's name or, for commands, the administrator's system user." }),
      })
      .meta({ id: "AuditCredential", description: "The credential that was used." }),
    subject: z
      .string()
      .nullable()
      .meta({
        description: "What it happened to: the name of a report, the slug of a user, the name of an access token.",
        examples: ["weekly-sales"],
      }),
    subject_id: z.string().nullable().meta({ description: "The ID of the subject." }),
    code: code.nullable().meta({ description: "The code of the version. Null if it concerns none." }),
    title: z.string().nullable().meta({ description: "The title of the report. Null if unknown." }),
    details: z.record(z.string(), detail).meta({
      description: "Further details. `from` and `to` are the values before and after a change.",
      examples: [{ from: "private", to: "public" }],
    }),
    request_id: z.string().nullable().meta({ description: "The `X-Request-Id` of the request." }),
    address: z
      .string()
      .nullable()
      .meta({ description: "The client's address, an IPv6 address as its /64 network. Null for other people's." }),
  })
  .meta({
    id: "AuditEntry",
    description: "A change that someone made. Slugs, names and titles are those at the time of the change.",
  });

export type AuditEntryView = z.output<typeof entry>;

export const auditPage = z
  .object({
    entries: z.array(entry).meta({ description: "The entries, newest first." }),
    next_cursor: z.string().nullable().meta({ description: "The cursor of the next page. Null at the end." }),
  })
  .meta({ id: "AuditPage" });

export const auditFilter = {
  actor: text(100)
    .optional()
    .meta({ description: "Only actions of this user, by slug.", examples: ["ada"] }),
  action: z
    .string()
    .regex(/^[a-z_]{1,40}(\.[a-z_]{1,40})?$/, "must be an action such as report.delete, or its noun, such as report")
    .optional()
    .meta({ description: "Only this action, or all actions with this noun.", examples: ["report.delete", "token"] }),
  item: text(1000)
    .optional()
    .meta({ description: "Only this report, by name, or this version, by code, or another subject." }),
  since: requestedTime.optional().meta({ description: "Only entries from this time on.", examples: ["2026-03-01"] }),
  until: requestedTime.optional().meta({ description: "Only entries before this time.", examples: ["2026-04-01"] }),
};

export const auditRoute = defineRoute({
  method: "GET",
  path: "/api/audit",
  id: "audit",
  summary: "Read the audit log",
  description:
    "Returns who changed what in a workspace, newest first. For the workspace's owner, and for owners and admins of an organization. With a filter, a page can have fewer entries than `limit`, or none, although more follow: continue while `next_cursor` isn't null.",
  scope: null,
  credential: "session",
  query: z.object({
    owner: requestedOwner,
    ...auditFilter,
    limit: pageLimit(PAGE_MAXIMUM)
      .default(50)
      .meta({ description: `Entries per page, at most ${PAGE_MAXIMUM}.` }),
    cursor: text(1000).optional().meta({ description: "The `next_cursor` of the previous page." }),
  }),
  body: z.object({}),
  response: auditPage,
  failures: {
    400: "The cursor isn't valid for this request.",
    403: "The user isn't an owner or admin of the organization.",
    404: "The user isn't a member of a workspace with this slug.",
  },
});

export const exportAuditRoute = defineDownload({
  method: "GET",
  path: "/api/audit/export",
  id: "exportAudit",
  summary: "Export the audit log",
  description:
    "Returns the same entries as `GET /api/audit`, without pages, as JSON Lines: each line is one entry as JSON.",
  scope: null,
  credential: "session",
  mediaType: "application/jsonl",
  query: z.object({ owner: requestedOwner, ...auditFilter }),
  body: z.object({}),
  failures: {
    403: "The user isn't an owner or admin of the organization.",
    404: "The user isn't a member of a workspace with this slug.",
  },
});
