import { z } from "zod";
import { soughtId, visibility } from "./common.ts";

const DRAWER_ID = "drw_5bTn0QyLk2XeV8sA";
const FOLDER_ID = "fld_Q3ZzD1mB0kXa7TgH";
const TAG_ID = "tag_v7RkW0dGm4HsE1xP";
const TOKEN_ID = "tok_Q3ZzD1mB0kXa7TgH";

/** What answers have in common, each described once. */
export const drawerId = z.string().meta({ description: "The drawer's id.", examples: [DRAWER_ID] });
export const folderId = z.string().meta({ description: "The folder's id.", examples: [FOLDER_ID] });
export const tagId = z.string().meta({ description: "The tag's id.", examples: [TAG_ID] });
export const tokenId = z.string().meta({ description: "The token's id.", examples: [TOKEN_ID] });
export const userId = z.string().meta({ description: "The user's id.", examples: ["usr_Q3ZzD1mB0kXa7TgH"] });
export const invitationId = z.string().meta({ description: "The invitation's id." });

export const filedIn = {
  folder_id: folderId.nullable().meta({ description: "The folder that it is filed in; null if in none." }),
  drawer_id: drawerId.nullable().meta({ description: "The drawer of that folder; null at the root." }),
};

export const defaultFolderId = folderId
  .nullable()
  .meta({ description: "Where uploads that name no folder are filed; null for nowhere." });

export const workspaceSlug = z.string().meta({ description: "The workspace's slug.", examples: ["ada"] });
export const workspaceKind = z
  .enum(["user", "org"])
  .meta({ description: "`user`: a person's own workspace. `org`: an organization's." });
export const userSlug = z.string().meta({ description: "The user's slug.", examples: ["ada"] });
export const displayName = z
  .string()
  .nullable()
  .meta({ description: "What people are shown instead of the slug; null if nothing.", examples: ["Ada Lovelace"] });

export const reportTitle = z.string().meta({ description: "As the report calls itself.", examples: ["Weekly sales"] });
export const cabinetEntryTitle = z.string().meta({ description: "As people read it.", examples: ["Sales"] });
export const versionNo = z
  .int()
  .min(1)
  .meta({ description: "Counts up from 1 in its group, and is never used twice there.", examples: [3] });
export const versionCount = z
  .int()
  .min(1)
  .meta({ description: "Of those versions that the caller may read.", examples: [3] });
export const currentVisibility = visibility.meta({
  description: "Of the current version. Where it differs from `visibility`, the live link is open to fewer people.",
});
export const itemKind = z.enum(["group", "report"]).meta({ description: "`report`: a standalone one." });
export const attachedTags = z
  .array(z.object({ id: tagId, title: cabinetEntryTitle }).meta({ id: "TagReference", description: "A tag." }))
  .meta({ description: "The tags that it carries." });
export const byteCount = z
  .int()
  .min(0)
  .meta({ description: "In bytes.", examples: [48_213] });

/** What requests look up. */
export const soughtDrawerId = soughtId.meta({ description: "A drawer's id.", examples: [DRAWER_ID] });
export const soughtFolderId = soughtId.meta({ description: "A folder's id.", examples: [FOLDER_ID] });
export const soughtTagId = soughtId.meta({ description: "A tag's id.", examples: [TAG_ID] });
export const soughtTokenId = soughtId.meta({ description: "A token's id.", examples: [TOKEN_ID] });
