import * as z from "zod";
import { PLANS } from "../../domain/model/plans.ts";
import { USER_STATES } from "../../domain/operations/administration-ports.ts";
import { instant, nothing, text } from "../model/common.ts";
import { byteCount, displayName, userSlug } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";
import { ADMINISTERS, cursor, nextCursor, requestedUser } from "./common.ts";

const user = z
  .object({
    slug: userSlug,
    email: z.string().meta({ description: "The user's email address.", examples: ["ada@example.org"] }),
    display_name: displayName,
    is_operator: z.boolean().meta({ description: "Whether the user administers the server." }),
    disabled_at: instant.nullable().meta({ description: "When the user was disabled. Null for active users." }),
    plan: z.enum(PLANS).meta({ description: "The plan of the user's own workspace." }),
    stored_bytes: byteCount.meta({ description: "Storage used by the user's own workspace, in bytes." }),
    last_seen_at: instant
      .nullable()
      .meta({ description: "When the user last signed in or used an access token. Null if not known." }),
    created_at: instant,
  })
  .meta({ id: "AdministeredUser", description: "A user as operators see them." });

export type AdministeredUserEntry = z.output<typeof user>;

export const administeredUsersRoute = defineRoute({
  ...ADMINISTERS,
  method: "GET",
  path: "/api/admin/users",
  id: "administeredUsers",
  summary: "List users",
  description: "Returns users, sorted by slug.",
  query: z.object({
    contains: text(100)
      .optional()
      .meta({ description: "Only users with this text in their slug, name or email address.", examples: ["ada"] }),
    state: z.enum(USER_STATES).optional().meta({ description: "Only users in this state." }),
    cursor,
  }),
  body: nothing,
  response: z
    .object({ users: z.array(user).meta({ description: "The users." }), next_cursor: nextCursor })
    .meta({ id: "AdministeredUsers" }),
  failures: {},
});

const done = z.object({ ok: z.literal(true) });

const changesUser = { ...ADMINISTERS, method: "POST", query: nothing, failures: { 404: "No such user." } } as const;
const NEEDS_CONFIRMATION = "Requires that the operator signed in or confirmed their identity within the last hour.";

export const disableUserRoute = defineRoute({
  ...changesUser,
  path: "/api/admin/users/disable",
  id: "disableUser",
  summary: "Disable a user",
  description: `Signs a user out and refuses their sign-ins and access tokens. Their reports stay. ${NEEDS_CONFIRMATION}`,
  body: z.object({ user: requestedUser }),
  response: done,
  failures: { ...changesUser.failures, 409: "Operators can't disable their own account." },
});

export const enableUserRoute = defineRoute({
  ...changesUser,
  path: "/api/admin/users/enable",
  id: "enableUser",
  summary: "Enable a user",
  description: `Lets a disabled user sign in again. Their access tokens work again. ${NEEDS_CONFIRMATION}`,
  body: z.object({ user: requestedUser }),
  response: done,
});

export const setOperatorRoute = defineRoute({
  ...changesUser,
  path: "/api/admin/users/set-operator",
  id: "setOperator",
  summary: "Grant or revoke the operator role",
  description: `Grants a user the operator role, or revokes it. ${NEEDS_CONFIRMATION}`,
  body: z.object({
    user: requestedUser,
    is_operator: z.boolean().meta({ description: "Whether the user has the operator role." }),
  }),
  response: done,
  failures: { ...changesUser.failures, 409: "Operators can't revoke their own role." },
});

export const createResetLinkRoute = defineRoute({
  ...changesUser,
  path: "/api/admin/users/create-reset-link",
  id: "createResetLink",
  summary: "Create a link for a new password",
  description: `Returns a link with which the user sets a new password. It works once, for one hour. ${NEEDS_CONFIRMATION}`,
  body: z.object({ user: requestedUser }),
  response: z.object({ url: z.url().meta({ description: "The link to give to the user." }) }),
  hasSecrets: true,
});

export const endUserSessionsRoute = defineRoute({
  ...changesUser,
  path: "/api/admin/users/end-sessions",
  id: "endUserSessions",
  summary: "Sign a user out everywhere",
  description: `Ends all of a user's sessions. ${NEEDS_CONFIRMATION}`,
  body: z.object({ user: requestedUser }),
  response: z.object({
    ok: z.literal(true),
    ended: z.int().min(0).meta({ description: "Number of sessions that were ended." }),
  }),
});
