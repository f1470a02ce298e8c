import * as z from "zod";
import { ROLES } from "../../domain/model/entities.ts";
import { instant, nothing, requestedUserId, text } from "../model/common.ts";
import { displayName, userId, userSlug } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";
import { organizationSlug } from "./organizations.ts";

const noSuchOrganization = "The organization does not exist, or the caller is not a member.";
const personal = "A field is invalid, or the workspace belongs to a person, not to an organization.";

export const role = z.enum(ROLES).meta({
  id: "Role",
  description:
    "A member's role. Owners and admins manage the organization. Only owners can add, change or remove owners.",
});

const member = z
  .object({
    userId,
    slug: userSlug,
    display_name: displayName,
    email: z
      .string()
      .nullable()
      .meta({ description: "The member's email address. Null unless the caller is an owner or admin." }),
    role,
    since: instant.meta({ description: "The time when the member joined." }),
  })
  .meta({ id: "Member" });

export type MemberEntry = z.output<typeof member>;

export const membersRoute = defineRoute({
  method: "GET",
  path: "/api/org/members",
  id: "members",
  summary: "List members",
  description: "Returns the members of an organization, sorted by slug.",
  scope: "reports:read",
  query: z.object({ owner: organizationSlug }),
  body: nothing,
  response: z
    .object({ members: z.array(member).meta({ description: "The members, sorted by slug." }) })
    .meta({ id: "MemberList" }),
  failures: { 400: personal, 404: noSuchOrganization },
});

export const addMemberRoute = defineRoute({
  method: "POST",
  path: "/api/org/members/add",
  id: "addMember",
  summary: "Add a member",
  description:
    "Adds a user to an organization. Not available on servers with open registration, where people join by invitation.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      owner: organizationSlug,
      user: text(1000).meta({ description: "The user's slug.", examples: ["grace"] }),
      role: role.default("member"),
    })
    .meta({ id: "AddMember", examples: [{ owner: "analytics", user: "grace", role: "member" }] }),
  response: z.object({ ok: z.literal(true), userId, role }),
  failures: {
    400: personal,
    403: "The access token does not have the required scope, the caller is not an owner or admin, or the server has open registration.",
    404: "The organization or the user does not exist, or the caller is not a member.",
    409: "The user is already a member.",
  },
});

export const removeMemberRoute = defineRoute({
  method: "POST",
  path: "/api/org/members/remove",
  id: "removeMember",
  summary: "Remove a member",
  description:
    "Removes a member from an organization, or lets the caller leave it. Access through tokens and sessions ends immediately. Published reports stay.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ owner: organizationSlug, userId: requestedUserId })
    .meta({ id: "RemoveMember", examples: [{ owner: "analytics", userId: "usr_Q3ZzD1mB0kXa7TgH" }] }),
  response: z.object({ ok: z.literal(true) }),
  failures: {
    400: "The member is the last owner, or the workspace belongs to a person, not to an organization.",
    403: "The access token does not have the required scope, or the caller cannot remove this member.",
    404: "The organization or the member does not exist, or the caller is not a member.",
  },
});

export const setRoleRoute = defineRoute({
  method: "POST",
  path: "/api/org/members/set-role",
  id: "setRole",
  summary: "Change a member's role",
  description: "Takes effect with the member's next request.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ owner: organizationSlug, userId: requestedUserId, role })
    .meta({ id: "SetRole", examples: [{ owner: "analytics", userId: "usr_Q3ZzD1mB0kXa7TgH", role: "admin" }] }),
  response: z.object({ ok: z.literal(true), role }),
  failures: {
    400: "The member is the last owner, or the workspace belongs to a person, not to an organization.",
    403: "The access token does not have the required scope, or the caller cannot change this member's role.",
    404: "The organization or the member does not exist, or the caller is not a member.",
  },
});
