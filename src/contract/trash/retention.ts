import * as z from "zod";
import { code, instant, nothing, requestedOwner } from "../model/common.ts";
import {
  byteCount,
  cabinetEntryTitle,
  creator,
  documentTitle,
  folderId,
  requestedFolderId,
  requestedTagId,
  tagId,
  versionNo,
} from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const MOST_VERSIONS = 100_000;
const MOST_DAYS = 36_500;

const noSuchWorkspace = "The workspace does not exist, or the caller is not a member.";

const within = (maximum: number) =>
  z
    .int("must be a whole number")
    .min(1, `must be between 1 and ${maximum}`)
    .max(maximum, `must be between 1 and ${maximum}`);

const limits = {
  keep: within(MOST_VERSIONS)
    .nullable()
    .meta({
      description: "The number of newest versions of a report that are kept. Null if the rule has no number.",
      examples: [20],
    }),
  days: within(MOST_DAYS)
    .nullable()
    .meta({
      description: "The age in days up to which versions are kept. Null if the rule has no age.",
      examples: [90],
    }),
};

const place = {
  folder_id: folderId.nullable().meta({ description: "The folder that the rule is for. Null if it is for no folder." }),
  tag_id: tagId.nullable().meta({ description: "The tag that the rule is for. Null if it is for no tag." }),
};

const rule = z
  .object({
    ...place,
    title: cabinetEntryTitle
      .nullable()
      .meta({ description: "The title of the folder or tag. Null for the whole workspace." }),
    ...limits,
    set_by: creator.meta({ description: "The user who set the rule. Null if the account was deleted." }),
    set_at: instant,
  })
  .meta({ id: "RetentionRule" });

export type RetentionRuleView = z.output<typeof rule>;

export const retentionRoute = defineRoute({
  method: "GET",
  path: "/api/retention",
  id: "retention",
  summary: "List retention rules",
  description:
    "Lists the rules by which a workspace deletes old versions. A version is kept if it is among the newest `keep` or younger than `days`. Rules of a report's folder and tags replace the rule of the workspace; if several apply, a version is kept if any of them keeps it.",
  scope: "reports:read",
  query: z.object({ owner: requestedOwner }),
  body: nothing,
  response: z.object({ owner: requestedOwner, rules: z.array(rule) }),
  failures: { 404: noSuchWorkspace },
});

const preview = z
  .object({
    reports: z.int().min(0).meta({ description: "Number of reports that would lose versions." }),
    versions: z.int().min(0).meta({ description: "Number of versions that would be deleted." }),
    bytes: byteCount.meta({ description: "Total size of these versions, in bytes." }),
    entries: z
      .array(
        z.object({
          name: z.string().nullable().meta({ description: "The report's name." }),
          code,
          title: documentTitle,
          version_no: versionNo,
          size: byteCount,
          created_at: instant,
        }),
      )
      .meta({ description: "The first 1,000 of the versions, by report and number." }),
  })
  .meta({ id: "RetentionPreview" });

export type RetentionPreviewView = z.output<typeof preview>;

export const setRetentionRoute = defineRoute({
  method: "POST",
  path: "/api/retention/set",
  id: "setRetention",
  summary: "Set a retention rule",
  description:
    "Sets the rule of a workspace, of a folder or of a tag, or removes it if neither `keep` nor `days` is set. The server applies rules every hour and moves the versions to the trash. The current version, protected versions and versions of protected reports are always kept. With `dry_run`, nothing changes and the response says what the rule would delete now.",
  scope: "reports:delete",
  query: nothing,
  body: z
    .object({
      owner: requestedOwner,
      folder_id: requestedFolderId.optional(),
      tag_id: requestedTagId.optional(),
      keep: limits.keep.optional(),
      days: limits.days.optional(),
      dry_run: z.boolean().optional().meta({ description: "Whether to change nothing. Defaults to false." }),
    })
    .refine((body) => body.folder_id === undefined || body.tag_id === undefined, "Specify either folder_id or tag_id")
    .meta({ id: "SetRetention", examples: [{ owner: "ada", keep: 20, days: 90 }] }),
  response: z.object({
    ok: z.literal(true),
    ...limits,
    would_delete: preview.nullable().meta({ description: "What the rule would delete now. Null without `dry_run`." }),
  }),
  failures: {
    403: "The access token does not have the required scope, or the caller is neither owner nor admin.",
    404: "The workspace, folder or tag does not exist, or the caller cannot access it.",
  },
});
