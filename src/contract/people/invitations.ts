import { z } from "zod";
import { INVITED_ROLES } from "../../domain/model/entities.ts";
import { instant, nothing, text } from "../model/common.ts";
import { invitationId, userSlug } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";
import { role } from "./members.ts";
import { organizationSlug } from "./organizations.ts";

const notForMembers = "The token lacks the scope, or the caller is no owner or admin.";
const noSuchOrganization = "There is no such organization, or the caller does not belong to it.";

const invitation = z
  .object({
    id: invitationId,
    role,
    email: z.string().nullable().meta({ description: "Whom it is for; null for whoever has the link." }),
    invited_by: userSlug.meta({ description: "Slug of whoever made it." }),
    created_at: instant,
    expires_at: instant,
  })
  .meta({ id: "Invitation" });

export type InvitationEntry = z.output<typeof invitation>;

export const invitationsRoute = defineRoute({
  method: "GET",
  path: "/api/org/invitations",
  id: "invitations",
  summary: "List an organization's open invitations",
  description: "Newest first, for owners and admins.",
  scope: "reports:read",
  query: z.object({ owner: organizationSlug }),
  body: nothing,
  response: z
    .object({ invitations: z.array(invitation).meta({ description: "Newest first." }) })
    .meta({ id: "InvitationList" }),
  failures: { 400: "The owner is a person's own workspace.", 403: notForMembers, 404: noSuchOrganization },
});

export const createInvitationRoute = defineRoute({
  method: "POST",
  path: "/api/org/invitations/create",
  id: "createInvitation",
  summary: "Make a link by which one person joins an organization",
  description: "The link is shown this once. Whoever opens it may make an account, even where registration is closed.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      owner: organizationSlug,
      role: z.enum(INVITED_ROLES).default("member").meta({ description: "What whoever joins by it becomes." }),
      email: text(254).optional().meta({ description: "The only e-mail address that may use the link." }),
      expires: text(20).optional().meta({ description: "Such as `7d`, the default, or `12h`; at most `90d`." }),
    })
    .meta({ id: "CreateInvitation", examples: [{ owner: "analytics", role: "member", email: "grace@example.org" }] }),
  response: z.object({
    id: invitationId,
    url: z.url().meta({ description: "Good for one use." }),
    role,
    email: z.string().nullable().meta({ description: "Whom it is for; null for whoever has the link." }),
    expires_at: instant,
  }),
  failures: { 400: "A field is missing or wrong.", 403: notForMembers, 404: noSuchOrganization },
});

export const revokeInvitationRoute = defineRoute({
  method: "POST",
  path: "/api/org/invitations/revoke",
  id: "revokeInvitation",
  summary: "Take an invitation back",
  description: "Its link opens nothing from then on.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ owner: organizationSlug, id: text(1000).meta({ description: "The invitation's id." }) })
    .meta({ id: "RevokeInvitation", examples: [{ owner: "analytics", id: "inv_Q3ZzD1mB0kXa7TgH" }] }),
  response: z.object({ ok: z.literal(true) }),
  failures: {
    400: "The owner is a person's own workspace.",
    403: notForMembers,
    404: "There is no such organization or no such invitation.",
  },
});

export const acceptInvitationRoute = defineRoute({
  method: "POST",
  path: "/api/org/invitations/accept",
  id: "acceptInvitation",
  summary: "Join the organization that an invitation is for",
  description: "Takes a session, or a token for the caller's own workspace. Uses the invitation up.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ token: text(1000).meta({ description: "What follows `token=` in the link." }) })
    .meta({ id: "AcceptInvitation", examples: [{ token: "3vYk0aQ2mXw9LbT4e7Kd0aQ2mXw9LbT4" }] }),
  response: z.object({ ok: z.literal(true), owner: z.string().meta({ description: "The organization's slug." }) }),
  failures: {
    400: "The invitation has been used or revoked, or it has expired.",
    403: "The token lacks the scope or is one for an organization, or the invitation is for somebody else.",
    409: "The caller is a member already.",
  },
});
