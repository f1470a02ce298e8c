import * as z from "zod";
import { INVITED_ROLES } from "../../domain/model/entities.ts";
import { instant, nothing, text } from "../model/common.ts";
import { invitationId, userSlug } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";
import { role } from "./members.ts";
import { organizationSlug } from "./organizations.ts";

const notForMembers = "The access token does not have the required scope, or the caller is not an owner or admin.";
const noSuchOrganization = "The organization does not exist, or the caller is not a member.";

const invitation = z
  .object({
    id: invitationId,
    role,
    email: z
      .string()
      .nullable()
      .meta({ description: "The email address that the invitation is for. Null if anyone with the link can use it." }),
    invited_by: userSlug.meta({ description: "The slug of the user who created the invitation." }),
    created_at: instant,
    expires_at: instant,
  })
  .meta({ id: "Invitation" });

export type InvitationEntry = z.output<typeof invitation>;

export const invitationsRoute = defineRoute({
  method: "GET",
  path: "/api/org/invitations",
  id: "invitations",
  summary: "List invitations",
  description: "Returns an organization's pending invitations, newest first. Requires the role owner or admin.",
  scope: "reports:read",
  query: z.object({ owner: organizationSlug }),
  body: nothing,
  response: z
    .object({ invitations: z.array(invitation).meta({ description: "The pending invitations, newest first." }) })
    .meta({ id: "InvitationList" }),
  failures: {
    400: "The workspace belongs to a person, not to an organization.",
    403: notForMembers,
    404: noSuchOrganization,
  },
});

export const createInvitationRoute = defineRoute({
  method: "POST",
  path: "/api/org/invitations/create",
  id: "createInvitation",
  summary: "Create an invitation",
  description:
    "Returns a single-use link to join the organization. The link is only shown once. The invited person can create an account with it, even if registration is closed.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      owner: organizationSlug,
      role: z.enum(INVITED_ROLES).default("member").meta({ description: "The role of the new member." }),
      email: text(254).optional().meta({
        description: "The only email address that can use the link. Omit it to let anyone with the link use it.",
      }),
      expires: text(20)
        .optional()
        .meta({ description: "How long the link is valid, such as `7d` (the default) or `12h`. At most `90d`." }),
    })
    .meta({ id: "CreateInvitation", examples: [{ owner: "analytics", role: "member", email: "grace@example.org" }] }),
  response: z.object({
    id: invitationId,
    url: z.url().meta({ description: "The single-use link." }),
    role,
    email: z
      .string()
      .nullable()
      .meta({ description: "The email address that the invitation is for. Null if anyone with the link can use it." }),
    expires_at: instant,
  }),
  hasSecrets: true,
  failures: { 400: "A field is missing or invalid.", 403: notForMembers, 404: noSuchOrganization },
});

export const revokeInvitationRoute = defineRoute({
  method: "POST",
  path: "/api/org/invitations/revoke",
  id: "revokeInvitation",
  summary: "Revoke an invitation",
  description: "The link stops working immediately.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ owner: organizationSlug, id: text(1000).meta({ description: "The invitation's ID." }) })
    .meta({ id: "RevokeInvitation", examples: [{ owner: "analytics", id: "inv_Q3ZzD1mB0kXa7TgH" }] }),
  response: z.object({ ok: z.literal(true) }),
  failures: {
    400: "The workspace belongs to a person, not to an organization.",
    403: notForMembers,
    404: "The organization or the invitation does not exist, or the caller is not a member.",
  },
});

export const acceptInvitationRoute = defineRoute({
  method: "POST",
  path: "/api/org/invitations/accept",
  id: "acceptInvitation",
  summary: "Accept an invitation",
  description:
    "Adds the caller to the organization. Requires a browser session, or an access token for the caller's own workspace. An invitation can be used once.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ token: text(1000).meta({ description: "The value after `token=` in the link." }) })
    .meta({ id: "AcceptInvitation", examples: [{ token: "3vYk0aQ2mXw9LbT4e7Kd0aQ2mXw9LbT4" }] }),
  response: z.object({ ok: z.literal(true), owner: z.string().meta({ description: "The organization's slug." }) }),
  failures: {
    400: "The invitation was used or revoked, or it has expired.",
    403: "The access token does not have the required scope or belongs to an organization, or the invitation is for another email address.",
    409: "The caller is already a member.",
  },
});
