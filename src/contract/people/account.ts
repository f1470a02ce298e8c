import * as z from "zod";
import { DISPLAY_NAME_CHARACTERS } from "../../domain/model/limits.ts";
import { PLANS } from "../../domain/model/plans.ts";
import { label, nothing, requestedOwner } from "../model/common.ts";
import {
  byteCount,
  defaultFolderId,
  defaultVisibility,
  displayName,
  seenBy,
  userId,
  userSlug,
  workspaceKind,
  workspaceSlug,
} from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";
import { role } from "./members.ts";

const accountWorkspace = z
  .object({
    slug: workspaceSlug,
    kind: workspaceKind,
    display_name: displayName,
    role,
    plan: z.enum(PLANS).meta({ description: "The workspace's plan, which determines its quota and limits." }),
    stored_bytes: byteCount.meta({ description: "Storage used by the workspace, in bytes." }),
    quota_bytes: byteCount.meta({ description: "Storage available to the workspace, in bytes." }),
    default_folder_id: defaultFolderId,
    default_visibility: defaultVisibility,
    seen_by: seenBy,
  })
  .meta({ id: "AccountWorkspace" });

const account = z
  .object({
    user: z.object({
      id: userId,
      slug: userSlug,
      display_name: displayName,
      email: z
        .string()
        .meta({ description: "The user's email address, used to sign in.", examples: ["ada@example.org"] }),
      is_operator: z.boolean().meta({ description: "Whether the user administers the server." }),
      has_password: z.boolean().meta({ description: "False if the user can only sign in with single sign-on." }),
    }),
    workspace: workspaceSlug
      .optional()
      .meta({ description: "The workspace that uploads go to if they name none. Absent on older servers." }),
    workspaces: z
      .array(accountWorkspace)
      .meta({ description: "The user's own workspace first, then organizations by name." }),
    limits: z.object({
      files_per_upload: z.int().meta({ description: "Maximum number of files in an upload.", examples: [100] }),
      file_bytes: byteCount.meta({ description: "Maximum size of a file after decoding, in bytes." }),
      request_bytes: byteCount.meta({ description: "Maximum size of an upload request, in bytes." }),
      free_plan_file_bytes: byteCount.meta({ description: "Maximum size of `index.html` on the free plan, in bytes." }),
      title_characters: z
        .int()
        .meta({ description: "Maximum number of characters in a report's title.", examples: [300] }),
      items_per_call: z
        .int()
        .meta({ description: "Maximum number of reports in one call that files or tags reports.", examples: [200] }),
    }),
    is_sign_up_open: z.boolean().meta({ description: "Whether anyone can create an account." }),
    content_url: z.url().meta({ description: "The address of the content host." }),
  })
  .meta({ id: "Account" });

export type AccountEntry = z.output<typeof account>;

export const accountRoute = defineRoute({
  method: "GET",
  path: "/api/account",
  id: "account",
  summary: "Retrieve the signed-in user",
  description: "Returns the user, their workspaces with storage used and available, and the limits of this server.",
  scope: "reports:read",
  query: nothing,
  body: nothing,
  response: account,
  failures: {},
});

export const setDisplayNameRoute = defineRoute({
  method: "POST",
  path: "/api/settings/set-display-name",
  id: "setDisplayName",
  summary: "Set a workspace's display name",
  description:
    "Sets the name of the caller's own workspace, which is also the caller's name, or of an organization. Links do not change.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ owner: requestedOwner, display_name: label(DISPLAY_NAME_CHARACTERS) })
    .meta({ id: "SetDisplayName", examples: [{ owner: "ada", display_name: "Ada Lovelace" }] }),
  response: z.object({
    ok: z.literal(true),
    display_name: z.string().meta({ description: "The new display name." }),
  }),
  failures: {
    403: "The access token does not have the required scope, or the caller is not an owner or admin of the organization.",
    404: "The workspace does not exist, or the caller is not a member.",
  },
});
