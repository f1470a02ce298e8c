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
const itemCount = z.int().describe("Number of reports.");

const drawer = z.object({ id: z.string(), title: z.string(), item_count: itemCount });
const folder = drawer.extend({ drawer_id: z.string().nullable().describe("Null at the root.") });
const tag = drawer.extend({ parent_id: z.string().nullable().describe("Null at the top level.") });

const listCabinet = defineTool({
  name: "list_cabinet",
  title: "List drawers, folders and tags",
  description:
    "List the drawers, folders and tags of a workspace, with their ids and numbers of reports. A folder is in a drawer or at the root. A report is in at most one folder and can have many tags. Call this before you create new ones.",
  annotations: READS,
  input: z.strictObject({ owner }),
  output: z.object({
    owner: z.string(),
    drawers: z.array(drawer),
    folders: z.array(folder),
    tags: z.array(tag),
    default_folder_id: z.string().nullable().describe("Folder for new reports that do not specify one."),
    item_count: itemCount,
    unfiled_count: z.int(),
    untagged_count: z.int(),
  }),
  async run({ owner: requested }, { client }) {
    const data = await client.call(taxonomyRoute, { query: { owner: await workspaceOf(client, requested) } });
    const lines = [
      ...data.drawers.map((entry) => `drawer ${quoteTitle(entry.title)}: ${entry.id}`),
      ...data.folders.map(
        (entry) => `folder ${quoteTitle(entry.title)}: ${entry.id}, in ${entry.drawer_id ?? "the root"}`,
      ),
      ...data.tags.map((entry) => `tag ${quoteTitle(entry.title)}: ${entry.id}, below ${entry.parent_id ?? "none"}`),
    ];
    return { data, text: lines.length === 0 ? "No drawers, folders or tags." : lines.join("\n") };
  },
});

const describeCreated = (what: string, { id: ownId, title: ownTitle }: { id: string; title: string }) =>
  `Created ${what} "${ownTitle}": ${ownId}`;

const createDrawer = defineTool({
  name: "create_drawer",
  title: "Create a drawer",
  description: "Create a drawer, which contains folders. Reports go into folders, not directly into drawers.",
  annotations: ADDS,
  input: z.strictObject({ title, owner }),
  output: drawer,
  async run({ owner: requested, ...body }, { client }) {
    const data = await client.call(createDrawerRoute, {
      body: { ...body, owner: await workspaceOf(client, requested) },
    });
    return { data, text: describeCreated("drawer", data) };
  },
});

const createFolder = defineTool({
  name: "create_folder",
  title: "Create a folder",
  description: "Create a folder for reports, in a drawer or at the root. Move reports to it with file_reports.",
  annotations: ADDS,
  input: z.strictObject({
    title,
    owner,
    drawer_id: id.optional().describe("Drawer to create the folder in (default: the root)."),
  }),
  output: folder,
  async run({ owner: requested, ...body }, { client }) {
    const data = await client.call(createFolderRoute, {
      body: { ...body, owner: await workspaceOf(client, requested) },
    });
    return { data, text: describeCreated("folder", data) };
  },
});

const createTag = defineTool({
  name: "create_tag",
  title: "Create a tag",
  description: "Create a tag, at the top level or below another tag. Add it to reports with tag_reports.",
  annotations: ADDS,
  input: z.strictObject({ title, owner, parent_id: id.optional().describe("Parent tag (default: none).") }),
  output: tag,
  async run({ owner: requested, ...body }, { client }) {
    const data = await client.call(createTagRoute, { body: { ...body, owner: await workspaceOf(client, requested) } });
    return { data, text: describeCreated("tag", data) };
  },
});

const updated = z.object({
  updated: z.int().describe("Number of the given reports, including those that did not change."),
});

const fileReports = defineTool({
  name: "file_reports",
  title: "File reports in a folder",
  description: "Move reports to a folder, or remove them from their folders with folder_id null.",
  annotations: ARRANGES,
  input: z.strictObject({
    items,
    folder_id: id
      .nullable()
      .describe("Id from list_cabinet or create_folder; null removes the reports from their folders."),
  }),
  output: updated,
  async run(body, { client }) {
    const data = await client.call(fileItemsRoute, { body });
    return {
      data,
      text: `Reports ${body.folder_id === null ? "removed from their folders" : "moved"}: ${data.updated}.`,
    };
  },
});

const tagIds = z.array(id).max(100).optional();

const tagReports = defineTool({
  name: "tag_reports",
  title: "Tag reports",
  description: "Add tags to reports, remove tags, or replace all their tags. Pass exactly one of add, remove and set.",
  annotations: ARRANGES,
  input: z
    .strictObject({
      items,
      add: tagIds.describe("Ids of the tags to add."),
      remove: tagIds.describe("Ids of the tags to remove."),
      set: tagIds.describe("Ids of the tags that replace all others; an empty list removes all tags."),
    })
    .refine(
      ({ add, remove, set }) => [add, remove, set].filter((ids) => ids !== undefined).length === 1,
      "pass exactly one of add, remove and set",
    ),
  output: updated,
  async run(body, { client }) {
    const data = await client.call(tagItemsRoute, { body });
    return { data, text: `Reports tagged: ${data.updated}.` };
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
