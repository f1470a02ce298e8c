import { z } from "zod";
import {
  createDrawerRoute,
  createFolderRoute,
  createTagRoute,
  fileItemsRoute,
  tagItemsRoute,
  taxonomyRoute,
} from "../../client/routes.ts";
import { quoteTitle } from "../fence.ts";
import { items, owner } from "../schemas.ts";
import { ADDS, ARRANGES, defineTool, type McpTool, READS } from "../tool.ts";
import { workspaceOf } from "../workspaces.ts";

const id = z.string().max(1000);
const title = z.string().max(1000).describe("1 to 120 characters.");
const itemCount = z.int().describe("Reports of it.");

const drawer = z.object({ id: z.string(), title: z.string(), item_count: itemCount });
const folder = drawer.extend({ drawer_id: z.string().nullable().describe("Null at the root.") });
const tag = drawer.extend({ parent_id: z.string().nullable().describe("Null at the top.") });

const listCabinet = defineTool({
  name: "list_cabinet",
  title: "List drawers, folders and tags",
  description:
    "List the drawers, folders and tags of a workspace, with their ids and how many reports each holds. A folder lies in a drawer or at the root; a report is in at most one folder and may have many tags. Look here before making new ones.",
  annotations: READS,
  input: z.strictObject({ owner }),
  output: z.object({
    owner: z.string(),
    drawers: z.array(drawer),
    folders: z.array(folder),
    tags: z.array(tag),
    default_folder_id: z.string().nullable().describe("Where new reports go that name no folder."),
    item_count: itemCount,
    unfiled_count: z.int(),
    untagged_count: z.int(),
  }),
  async run({ owner: wanted }, { client }) {
    const data = await client.call(taxonomyRoute, { query: { owner: await workspaceOf(client, wanted) } });
    const lines = [
      ...data.drawers.map((entry) => `drawer ${quoteTitle(entry.title)}: ${entry.id}`),
      ...data.folders.map(
        (entry) => `folder ${quoteTitle(entry.title)}: ${entry.id}, in ${entry.drawer_id ?? "the root"}`,
      ),
      ...data.tags.map((entry) => `tag ${quoteTitle(entry.title)}: ${entry.id}, below ${entry.parent_id ?? "none"}`),
    ];
    return { data, text: lines.length === 0 ? "There are no drawers, folders and tags." : lines.join("\n") };
  },
});

const made = (what: string, { id: ownId, title: ownTitle }: { id: string; title: string }) =>
  `Made the ${what} "${ownTitle}": ${ownId}`;

const createDrawer = defineTool({
  name: "create_drawer",
  title: "Make a drawer",
  description: "Make a drawer, which holds folders. Reports lie in folders, not in drawers themselves.",
  annotations: ADDS,
  input: z.strictObject({ title, owner }),
  output: drawer,
  async run({ owner: wanted, ...body }, { client }) {
    const data = await client.call(createDrawerRoute, { body: { ...body, owner: await workspaceOf(client, wanted) } });
    return { data, text: made("drawer", data) };
  },
});

const createFolder = defineTool({
  name: "create_folder",
  title: "Make a folder",
  description: "Make a folder for reports, in a drawer or at the root. Then put reports into it with file_reports.",
  annotations: ADDS,
  input: z.strictObject({ title, owner, drawer_id: id.optional().describe("The drawer it lies in; else the root.") }),
  output: folder,
  async run({ owner: wanted, ...body }, { client }) {
    const data = await client.call(createFolderRoute, { body: { ...body, owner: await workspaceOf(client, wanted) } });
    return { data, text: made("folder", data) };
  },
});

const createTag = defineTool({
  name: "create_tag",
  title: "Make a tag",
  description: "Make a tag, at the top or below another one. Then attach it to reports with tag_reports.",
  annotations: ADDS,
  input: z.strictObject({ title, owner, parent_id: id.optional().describe("The tag it is below; else at the top.") }),
  output: tag,
  async run({ owner: wanted, ...body }, { client }) {
    const data = await client.call(createTagRoute, { body: { ...body, owner: await workspaceOf(client, wanted) } });
    return { data, text: made("tag", data) };
  },
});

const updated = z.object({ updated: z.int().describe("Reports that were named, changed by it or not.") });

const fileReports = defineTool({
  name: "file_reports",
  title: "File reports in a folder",
  description: "Put reports into a folder, out of the one they were in; or with folder_id null out of any folder.",
  annotations: ARRANGES,
  input: z.strictObject({
    items,
    folder_id: id.nullable().describe("From list_cabinet or create_folder; null unfiles."),
  }),
  output: updated,
  async run(body, { client }) {
    const data = await client.call(fileItemsRoute, { body });
    return { data, text: `${body.folder_id === null ? "Unfiled" : "Filed"} ${data.updated}.` };
  },
});

const tagIds = z.array(id).max(100).optional();

const tagReports = defineTool({
  name: "tag_reports",
  title: "Tag reports",
  description: "Attach tags to reports, detach them, or set exactly these. Give one of add, remove and set.",
  annotations: ARRANGES,
  input: z
    .strictObject({
      items,
      add: tagIds.describe("Ids of tags to attach."),
      remove: tagIds.describe("Ids of tags to detach."),
      set: tagIds.describe("Ids of all tags they shall have; an empty list takes all away."),
    })
    .refine(
      ({ add, remove, set }) => [add, remove, set].filter((ids) => ids !== undefined).length === 1,
      "give exactly one of add, remove and set",
    ),
  output: updated,
  async run(body, { client }) {
    const data = await client.call(tagItemsRoute, { body });
    return { data, text: `Tagged ${data.updated}.` };
  },
});

export const cabinetTools: readonly McpTool[] = [
  listCabinet,
  createDrawer,
  createFolder,
  createTag,
  fileReports,
  tagReports,
];
