import * as z from "zod";
import {
  GUEST_EMAILS,
  GUEST_LABEL_CHARACTERS,
  GUEST_LINKS_PER_REPORT,
  GUEST_ORIGINS,
} from "../../domain/sharing/guest-limits.ts";
import {
  code,
  instant,
  label,
  nothing,
  reportName,
  requestedCode,
  requestedEnd,
  requestedId,
  requestedName,
  requestedOwner,
  text,
} from "../model/common.ts";
import { creator, reportTitle } from "../model/fields.ts";
import { hasOneReference, ONE_REFERENCE, reference } from "../model/references.ts";
import { defineRoute } from "../model/route.ts";

const LINK_ID = "lnk_Q3ZzD1mB0kXa7TgH";

const linkId = z.string().meta({ description: "The guest link's ID.", examples: [LINK_ID] });
const requestedLinkId = requestedId.meta({ description: "The guest link's ID.", examples: [LINK_ID] });
const linkLabel = label(GUEST_LABEL_CHARACTERS).meta({
  description: `What the link is for, shown to the people who manage it. 1 to ${GUEST_LABEL_CHARACTERS} characters.`,
  examples: ["Board meeting"],
});

const guestLink = z
  .object({
    id: linkId,
    label: z.string().nullable().meta({ description: "What the link is for. Null if it has no label." }),
    name: reportName.nullable().meta({ description: "The report's name. Null for an unnamed report." }),
    code: code.nullable().meta({ description: "The version that the link opens. Null if it follows the report." }),
    title: reportTitle,
    created_at: instant,
    created_by: creator.meta({ description: "The user who created the link. Null if the account was deleted." }),
    expires_at: instant.nullable().meta({ description: "When the link stops working. Null if it doesn't expire." }),
    has_password: z.boolean().meta({ description: "Whether guests need a password." }),
    emails: z
      .array(z.string())
      .meta({ description: "The email addresses that the link is limited to. Empty for anyone with the link." }),
    embed_origins: z
      .array(z.string())
      .meta({ description: "The origins whose pages can embed the link. Empty if it can't be embedded." }),
    comments: z.boolean().meta({ description: "Whether guests can read and write comments." }),
    uses: z.int().min(0).meta({ description: "How often the link was opened." }),
    last_used_at: instant.nullable().meta({ description: "When it was opened last. Null if never." }),
  })
  .meta({ id: "GuestLink" });

export type GuestLinkEntry = z.output<typeof guestLink>;

const cannotShare = "The access token does not have the required scope, or the caller cannot share the report.";

export const guestLinksRoute = defineRoute({
  method: "GET",
  path: "/api/share/links",
  id: "guestLinks",
  summary: "List guest links",
  description:
    "Returns guest links, newest first, including those that expired in the last 30 days: those of a report with `name`, those of one version with `code`, and otherwise the newest 1,000 of the workspace. Only links to reports that the caller can share are included.",
  scope: "reports:read",
  query: z
    .object({ ...reference, owner: requestedOwner.optional() })
    .refine(
      ({ name, code: version, owner }) => [name, version, owner].filter((one) => one !== undefined).length <= 1,
      "Specify only one of name, code and owner",
    ),
  body: nothing,
  response: z
    .object({
      links: z.array(guestLink).meta({ description: "The guest links, newest first." }),
      can_mail: z.boolean().meta({ description: "Whether new links can be limited to email addresses." }),
    })
    .meta({ id: "GuestLinkList" }),
  failures: { 403: cannotShare, 404: "The report or workspace does not exist, or the caller cannot access it." },
});

export const createGuestLinkRoute = defineRoute({
  method: "POST",
  path: "/api/share/links/create",
  id: "createGuestLink",
  summary: "Create a guest link",
  description: `Returns a link with which people without an account can read a report, also a private one. With \`name\`, the link always shows the current version; with \`code\`, that version. The URL is only shown once. A report can have ${GUEST_LINKS_PER_REPORT} guest links.`,
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      name: requestedName.optional(),
      code: requestedCode.optional(),
      label: linkLabel.optional(),
      expires_at: requestedEnd.optional().meta({
        description:
          "When the link stops working; a date means its end in UTC. Omit it for a link that doesn't expire.",
      }),
      password: text(1000).optional().meta({ description: "A password that guests have to enter." }),
      emails: z.array(text(254)).max(GUEST_EMAILS, `must have at most ${GUEST_EMAILS} addresses`).optional().meta({
        description:
          "The only email addresses that can open the link. Guests prove theirs with a one-time code. Requires a server that sends mail.",
      }),
      embed_origins: z
        .array(text(300))
        .max(GUEST_ORIGINS, `must have at most ${GUEST_ORIGINS} origins`)
        .optional()
        .meta({
          description:
            "The origins whose pages can embed the link in a frame, such as `https://www.notion.so`. Omit it for none.",
        }),
      comments: z
        .boolean()
        .default(false)
        .meta({ description: "Whether guests can read the comments on what the link opens, and write some." }),
    })
    .refine(hasOneReference, ONE_REFERENCE)
    .meta({
      id: "CreateGuestLink",
      examples: [{ name: "weekly-sales", label: "Board meeting", expires_at: "2026-12-31T00:00:00Z" }],
    }),
  response: z.object({
    id: linkId,
    url: z.url().meta({
      description: "The link. It is only shown once.",
      examples: ["https://vitrine.example.org/s/3vYk0aQ2mXw9LbT4e7Kd0aQ2mXw9LbT43vYk0aQ2mXw/"],
    }),
  }),
  hasSecrets: true,
  failures: {
    400: "A field is missing or invalid, or the server sends no mail.",
    403: cannotShare,
    404: "The report does not exist, or the caller cannot access it.",
    409: "The report has too many guest links.",
  },
});

export const updateGuestLinkRoute = defineRoute({
  method: "POST",
  path: "/api/share/links/update",
  id: "updateGuestLink",
  summary: "Change a guest link",
  description:
    "Changes the label or the expiry of a guest link, or whether guests can comment. Other limits can't be changed: create another link.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      id: requestedLinkId,
      label: linkLabel.nullable().optional().meta({ description: "The new label. Null removes it." }),
      expires_at: requestedEnd.nullable().optional().meta({
        description: "When the link stops working; a date means its end in UTC. Null for a link that doesn't expire.",
      }),
      comments: z.boolean().optional().meta({ description: "Whether guests can read and write comments." }),
    })
    .meta({ id: "UpdateGuestLink", examples: [{ id: LINK_ID, expires_at: "2027-01-31T00:00:00Z" }] }),
  response: guestLink,
  failures: {
    400: "A field is invalid, or nothing to change is there.",
    403: cannotShare,
    404: "The link does not exist, or the caller cannot access its report.",
  },
});

export const revokeGuestLinkRoute = defineRoute({
  method: "POST",
  path: "/api/share/links/revoke",
  id: "revokeGuestLink",
  summary: "Revoke a guest link",
  description: "The link stops working immediately, also for guests who have it open.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ id: requestedLinkId }).meta({ id: "RevokeGuestLink", examples: [{ id: LINK_ID }] }),
  response: z.object({ ok: z.literal(true) }),
  failures: {
    403: cannotShare,
    404: "The link does not exist, or the caller cannot access its report.",
  },
});
