import * as z from "zod";
import { DEFAULT_VISIBILITIES } from "../../domain/model/entities.ts";
import { SEEN_BY } from "../../domain/model/seen-by.ts";
import { requestedId, visibility } from "./common.ts";

const DRAWER_ID = "drw_5bTn0QyLk2XeV8sA";
const FOLDER_ID = "fld_Q3ZzD1mB0kXa7TgH";
const TAG_ID = "tag_v7RkW0dGm4HsE1xP";
const TOKEN_ID = "tok_Q3ZzD1mB0kXa7TgH";

/** Fields that several responses share. */
export const drawerId = z.string().meta({ description: "The drawer's ID.", examples: [DRAWER_ID] });
export const folderId = z.string().meta({ description: "The folder's ID.", examples: [FOLDER_ID] });
export const tagId = z.string().meta({ description: "The tag's ID.", examples: [TAG_ID] });
export const tokenId = z.string().meta({ description: "The access token's ID.", examples: [TOKEN_ID] });
export const userId = z.string().meta({ description: "The user's ID.", examples: ["usr_Q3ZzD1mB0kXa7TgH"] });
export const invitationId = z.string().meta({ description: "The invitation's ID." });

export const filedIn = {
  folder_id: folderId
    .nullable()
    .meta({ description: "The ID of the report's folder. Null if the report is not filed." }),
  drawer_id: drawerId
    .nullable()
    .meta({ description: "The ID of that folder's drawer. Null if the folder is at the root." }),
};

export const defaultFolderId = folderId
  .nullable()
  .meta({ description: "The ID of the folder for new reports that do not specify one. Null leaves them unfiled." });

export const defaultVisibility = z.enum(DEFAULT_VISIBILITIES).meta({
  description:
    "Who can read new reports whose upload does not specify a visibility. `private` unless an organization has changed it to `org`.",
});

export const seenBy = z.enum(SEEN_BY).meta({
  description:
    "What is recorded about people who open the workspace's reports. `off`: nothing. `counts`: how often and when. `names`: also which signed-in people.",
});

export const workspaceSlug = z.string().meta({ description: "The workspace's slug.", examples: ["ada"] });
export const workspaceKind = z
  .enum(["user", "org"])
  .meta({ description: "`user`: a person's workspace. `org`: an organization's workspace." });
export const userSlug = z.string().meta({ description: "The user's slug.", examples: ["ada"] });
export const displayName = z
  .string()
  .nullable()
  .meta({ description: "The name shown to people. Null if none is set.", examples: ["Ada Lovelace"] });

export const creator = z.object({ slug: userSlug, display_name: displayName }).nullable();

export const reportTitle = z.string().meta({
  description: "The title with which the report is shown: its display title, or that of its version.",
  examples: ["Weekly sales"],
});
export const documentTitle = z
  .string()
  .meta({ description: "The title of the version itself.", examples: ["Weekly sales"] });
export const versionNote = z
  .string()
  .nullable()
  .meta({ description: "What the publisher says has changed. Null if there is no note.", examples: ["Added returns"] });
export const cabinetEntryTitle = z.string().meta({ description: "The title shown to people.", examples: ["Sales"] });
export const versionNo = z
  .int()
  .min(1)
  .meta({ description: "The version number within the report. Starts at 1 and is never reused.", examples: [3] });
export const versionCount = z
  .int()
  .min(1)
  .meta({ description: "Number of versions that the caller can read.", examples: [3] });
export const currentVisibility = visibility.meta({
  description: "The visibility of the current version. If it differs from `visibility`, the live link requires both.",
});
export const thumbnailUrl = z
  .url()
  .nullable()
  .meta({
    description: "A picture of the version, for those who can read it. Null if it has none.",
    examples: ["https://vitrine.example.org/api/thumbnail?code=7Kd0aQ2mXw9LbT4e"],
  });
export const itemKind = z
  .enum(["group", "report"])
  .meta({ description: "`group`: a named report. `report`: an unnamed report." });
export const attachedTags = z
  .array(
    z
      .object({ id: tagId, title: cabinetEntryTitle })
      .meta({ id: "TagReference", description: "A tag attached to a report." }),
  )
  .meta({ description: "The tags attached to the report." });
export const byteCount = z
  .int()
  .min(0)
  .meta({ description: "Size in bytes.", examples: [48_213] });

/** IDs that requests look up. */
export const requestedDrawerId = requestedId.meta({ description: "The drawer's ID.", examples: [DRAWER_ID] });
export const requestedFolderId = requestedId.meta({ description: "The folder's ID.", examples: [FOLDER_ID] });
export const requestedTagId = requestedId.meta({ description: "The tag's ID.", examples: [TAG_ID] });
export const requestedTokenId = requestedId.meta({ description: "The access token's ID.", examples: [TOKEN_ID] });
