import { z } from "zod";
import { DISPLAY_NAME_CHARACTERS } from "../../domain/model/limits.ts";
import { PLANS } from "../../domain/model/plans.ts";
import { label, nothing, soughtOwner } from "../model/common.ts";
import {
  byteCount,
  defaultFolderId,
  displayName,
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
    plan: z.enum(PLANS).meta({ description: "What the workspace may hold and do." }),
    stored_bytes: byteCount.meta({ description: "As many bytes as the workspace holds." }),
    quota_bytes: byteCount.meta({ description: "As many bytes as the workspace may hold." }),
    default_folder_id: defaultFolderId,
  })
  .meta({ id: "AccountWorkspace" });

const account = z
  .object({
    user: z.object({
      id: userId,
      slug: userSlug,
      display_name: displayName,
      email: z.string().meta({ description: "With which the user signs in.", examples: ["ada@example.org"] }),
      has_password: z.boolean().meta({ description: "False for whoever signs in with single sign-on alone." }),
    }),
    workspaces: z
      .array(accountWorkspace)
      .meta({ description: "The user's own first, then organizations by their names." }),
    limits: z.object({
      files_per_upload: z.int().meta({ description: "How many files an upload may have.", examples: [100] }),
      file_bytes: byteCount.meta({ description: "Of one file, decoded." }),
      request_bytes: byteCount.meta({ description: "Of a whole upload." }),
      free_plan_file_bytes: byteCount.meta({ description: "Of the one file that the free plan allows." }),
      title_characters: z.int().meta({ description: "How long a report's title may be.", examples: [300] }),
      items_per_call: z.int().meta({ description: "How many items one call may file or tag.", examples: [200] }),
    }),
    is_sign_up_open: z.boolean().meta({ description: "Whether anyone may register." }),
    content_url: z.url().meta({ description: "The content host's address." }),
  })
  .meta({ id: "Account" });

export type AccountEntry = z.output<typeof account>;

export const accountRoute = defineRoute({
  method: "GET",
  path: "/api/account",
  id: "account",
  summary: "Show the caller's account and workspaces",
  description: "With what each workspace holds and may hold, and the limits of this server.",
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
  summary: "Say how people see a workspace's name",
  description: "Of the caller's own workspace, which names the caller as well, or of an organization. Links stay.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ owner: soughtOwner, display_name: label(DISPLAY_NAME_CHARACTERS) })
    .meta({ id: "SetDisplayName", examples: [{ owner: "ada", display_name: "Ada Lovelace" }] }),
  response: z.object({
    ok: z.literal(true),
    display_name: z.string().meta({ description: "As it is shown from now on." }),
  }),
  failures: {
    403: "The token lacks the scope, or the caller is no owner or admin of the organization.",
    404: "There is no such workspace, or the caller does not belong to it.",
  },
});
