import * as z from "zod";
import { SCOPES } from "../../domain/model/entities.ts";
import { PLANS } from "../../domain/model/plans.ts";
import { WORKSPACE_ORDERS } from "../../domain/operations/administration-ports.ts";
import { instant, nothing, requestedOwner, text } from "../model/common.ts";
import { byteCount, displayName, requestedTokenId, tokenId, workspaceKind, workspaceSlug } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";
import { ADMINISTERS, cursor, nextCursor } from "./common.ts";

const plan = z.enum(PLANS).meta({ description: "The workspace's plan, which determines its quota and limits." });

const organization = z
  .object({
    slug: workspaceSlug,
    display_name: displayName,
    plan,
    members: z.int().min(0).meta({ description: "Number of members." }),
    stored_bytes: byteCount.meta({ description: "Storage used, in bytes." }),
    created_at: instant,
  })
  .meta({ id: "AdministeredOrganization", description: "An organization as operators see it." });

export type AdministeredOrganizationEntry = z.output<typeof organization>;

export const administeredOrganizationsRoute = defineRoute({
  ...ADMINISTERS,
  method: "GET",
  path: "/api/admin/organizations",
  id: "administeredOrganizations",
  summary: "List organizations",
  description: "Returns organizations, sorted by slug.",
  query: z.object({
    contains: text(100).optional().meta({ description: "Only organizations with this text in their slug or name." }),
    cursor,
  }),
  body: nothing,
  response: z
    .object({
      organizations: z.array(organization).meta({ description: "The organizations." }),
      next_cursor: nextCursor,
    })
    .meta({ id: "AdministeredOrganizations" }),
  failures: {},
});

const workspace = z
  .object({
    slug: workspaceSlug,
    kind: workspaceKind,
    display_name: displayName,
    plan,
    stored_bytes: byteCount.meta({ description: "Storage used, in bytes." }),
    quota_bytes: byteCount.meta({ description: "Storage available, in bytes." }),
    created_at: instant,
  })
  .meta({ id: "AdministeredWorkspace", description: "A workspace as operators see it." });

export type AdministeredWorkspaceEntry = z.output<typeof workspace>;

export const administeredWorkspacesRoute = defineRoute({
  ...ADMINISTERS,
  method: "GET",
  path: "/api/admin/workspaces",
  id: "administeredWorkspaces",
  summary: "List workspaces by storage",
  description: "Returns workspaces with the storage they use, the largest first.",
  query: z.object({
    by: z.enum(WORKSPACE_ORDERS).default("storage").meta({ description: "The order." }),
    cursor,
  }),
  body: nothing,
  response: z
    .object({ workspaces: z.array(workspace).meta({ description: "The workspaces." }), next_cursor: nextCursor })
    .meta({ id: "AdministeredWorkspaces" }),
  failures: {},
});

export const setPlanRoute = defineRoute({
  ...ADMINISTERS,
  method: "POST",
  path: "/api/admin/workspaces/set-plan",
  id: "setPlan",
  summary: "Set a workspace's plan",
  description:
    "Changes the plan of a workspace, and with it its quota and limits. Requires that the operator signed in or confirmed their identity within the last hour.",
  query: nothing,
  body: z.object({ owner: requestedOwner, plan }),
  response: z.object({ ok: z.literal(true), plan }),
  failures: { 404: "No such workspace." },
});

const token = z
  .object({
    id: tokenId,
    name: z.string().meta({ description: "The name that the user gave the token.", examples: ["Nightly build"] }),
    user: z.string().meta({ description: "The slug of the user whom the token acts for." }),
    workspace: z.string().meta({ description: "The slug of the workspace that the token publishes to." }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: "The scopes of the token." }),
    created_at: instant,
    expires_at: instant.nullable().meta({ description: "The time when the token expires. Null if it never expires." }),
    last_used_at: instant
      .nullable()
      .meta({ description: "The time of last use, accurate to one minute. Null if the token was never used." }),
  })
  .meta({ id: "AdministeredToken", description: "An access token as operators see it, without its value." });

export type AdministeredTokenEntry = z.output<typeof token>;

export const administeredTokensRoute = defineRoute({
  ...ADMINISTERS,
  method: "GET",
  path: "/api/admin/tokens",
  id: "administeredTokens",
  summary: "List the access tokens of all users",
  description: "Returns access tokens, oldest first, without their values.",
  query: z.object({ user: text(1000).optional().meta({ description: "Only tokens of this user, by slug." }), cursor }),
  body: nothing,
  response: z
    .object({ tokens: z.array(token).meta({ description: "The access tokens." }), next_cursor: nextCursor })
    .meta({ id: "AdministeredTokens" }),
  failures: { 404: "No such user." },
});

export const revokeAnyTokenRoute = defineRoute({
  ...ADMINISTERS,
  method: "POST",
  path: "/api/admin/tokens/revoke",
  id: "revokeAnyToken",
  summary: "Revoke an access token of any user",
  description:
    "Revokes an access token immediately. Requires that the operator signed in or confirmed their identity within the last hour.",
  query: nothing,
  body: z.object({ id: requestedTokenId }),
  response: z.object({ ok: z.literal(true) }),
  failures: { 404: "No such access token." },
});
