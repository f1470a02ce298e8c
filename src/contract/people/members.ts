import { z } from "zod";
import { ROLES } from "../../domain/model/entities.ts";
import { instant, nothing, soughtUserId, text } from "../model/common.ts";
import { displayName, userId, userSlug } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";
import { organizationSlug } from "./organizations.ts";

const noSuchOrganization = "There is no such organization, or the caller does not belong to it.";
const personal = "A field is wrong, or the owner is a person's own workspace.";

export const role = z.enum(ROLES).meta({
  id: "Role",
  description: "`owner` and `admin` look after the organization; only owners make and unmake owners.",
});

const member = z
  .object({
    userId,
    slug: userSlug,
    display_name: displayName,
    email: z.string().nullable().meta({ description: "Null unless the caller is an owner or admin." }),
    role,
    since: instant.meta({ description: "When the member joined." }),
  })
  .meta({ id: "Member" });

export type MemberEntry = z.output<typeof member>;

export const membersRoute = defineRoute({
  method: "GET",
  path: "/api/org/members",
  id: "members",
  summary: "List an organization's members",
  description: "By their slugs.",
  scope: "reports:read",
  query: z.object({ owner: organizationSlug }),
  body: nothing,
  response: z.object({ members: z.array(member).meta({ description: "By their slugs." }) }).meta({ id: "MemberList" }),
  failures: { 400: personal, 404: noSuchOrganization },
});

export const addMemberRoute = defineRoute({
  method: "POST",
  path: "/api/org/members/add",
  id: "addMember",
  summary: "Make a user a member of an organization",
  description: "Where anyone may register, people join by an invitation instead.",
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
    403: "The token lacks the scope, the caller is no owner or admin, or people join by invitation here.",
    404: "There is no such organization or no such user.",
    409: "The user is a member already.",
  },
});

export const removeMemberRoute = defineRoute({
  method: "POST",
  path: "/api/org/members/remove",
  id: "removeMember",
  summary: "Remove a member from an organization, or leave it",
  description: "Their tokens and sessions lose the organization at once; what they published stays.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ owner: organizationSlug, userId: soughtUserId })
    .meta({ id: "RemoveMember", examples: [{ owner: "analytics", userId: "usr_Q3ZzD1mB0kXa7TgH" }] }),
  response: z.object({ ok: z.literal(true) }),
  failures: {
    400: "The member is the last owner, or the owner is a person's own workspace.",
    403: "The token lacks the scope, or the caller may not remove this member.",
    404: "There is no such organization or no such member.",
  },
});

export const setRoleRoute = defineRoute({
  method: "POST",
  path: "/api/org/members/set-role",
  id: "setRole",
  summary: "Give a member another role",
  description: "It holds from the next request on.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ owner: organizationSlug, userId: soughtUserId, role })
    .meta({ id: "SetRole", examples: [{ owner: "analytics", userId: "usr_Q3ZzD1mB0kXa7TgH", role: "admin" }] }),
  response: z.object({ ok: z.literal(true), role }),
  failures: {
    400: "The member is the last owner, or the owner is a person's own workspace.",
    403: "The token lacks the scope, or the caller may not change this member.",
    404: "There is no such organization or no such member.",
  },
});
