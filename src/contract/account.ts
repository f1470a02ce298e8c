import { z } from "zod";
import { DISPLAY_NAME_CHARACTERS } from "../domain/limits.ts";
import { PLANS } from "../domain/plans.ts";
import { label, nothing, opaqueId, soughtOwner } from "./common.ts";
import { role } from "./members.ts";
import { defineRoute } from "./route.ts";

const byteCount = z.int().min(0);

const accountWorkspace = z
  .object({
    slug: z.string(),
    kind: z.enum(["user", "org"]),
    display_name: z.string().nullable(),
    role,
    plan: z.enum(PLANS),
    stored_bytes: byteCount,
    quota_bytes: byteCount.meta({ description: "As many bytes as the workspace may hold." }),
    default_folder_id: opaqueId.nullable(),
  })
  .meta({ id: "AccountWorkspace" });

const account = z
  .object({
    user: z.object({
      id: z.string(),
      slug: z.string(),
      display_name: z.string().nullable(),
      email: z.string(),
      has_password: z.boolean().meta({ description: "False for whoever signs in with single sign-on alone." }),
    }),
    workspaces: z
      .array(accountWorkspace)
      .meta({ description: "The user's own first, then organizations by their names." }),
    limits: z.object({
      files_per_upload: z.int(),
      file_bytes: byteCount,
      request_bytes: byteCount.meta({ description: "Of a whole upload." }),
      free_plan_file_bytes: byteCount,
      title_characters: z.int(),
      items_per_call: z.int(),
    }),
    is_sign_up_open: z.boolean(),
    content_url: z.url(),
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
  response: z.object({ ok: z.literal(true), display_name: z.string() }),
  failures: {
    403: "The token lacks the scope, or the caller is no owner or admin of the organization.",
    404: "There is no such workspace, or the caller does not belong to it.",
  },
});
