import { z } from "zod";
import {
  existingTags,
  findOrCreateDrawer,
  findOrCreateFolder,
  findOrCreateTag,
  findOrCreateTags,
  findTag,
  folderLabel,
  readTaxonomy,
  tagLabel,
} from "../../client/labels.ts";
import { fileItemsRoute, tagItemsRoute } from "../../client/routes.ts";
import { quoteTitle } from "../fence.ts";
import { describeFolder } from "../folders.ts";
import { expectedCount, matching, owner, reports, tagLabels } from "../schemas.ts";
import { inBatches, select } from "../selection.ts";
import { ADDS, ARRANGES, defineTool, type McpTool, READS } from "../tool.ts";
import { workspaceOf } from "../workspaces.ts";

const label = z.string().trim().min(1).max(1000);

const entry = z.object({ id: z.string(), title: z.string(), item_count: z.int() });

const listCabinet = defineTool({
  name: "list_cabinet",
  title: "List drawers, folders and tags",
  description:
    "List a workspace's folders (with their drawers) and tags, with numbers of reports. Tools take folders and tags by these labels; a report is in at most one folder.",
  annotations: READS,
  input: z.strictObject({ owner }),
  output: z.object({
    owner: z.string(),
    drawers: z.array(entry),
    folders: z.array(entry.extend({ drawer_id: z.string().nullable() })),
    tags: z.array(entry.extend({ parent_id: z.string().nullable() })),
    default_folder_id: z.string().nullable(),
    item_count: z.int(),
    unfiled_count: z.int(),
    untagged_count: z.int(),
  }),
  async run({ owner: requested }, { client }) {
    const data = await readTaxonomy(client, await workspaceOf(client, requested));
    const emptyDrawers = data.drawers.filter(({ id }) => !data.folders.some(({ drawer_id }) => drawer_id === id));
    const lines = [
      ...emptyDrawers.map(({ title }) => `drawer ${quoteTitle(title)}: no folders`),
      ...data.folders.map((one) => `folder ${quoteTitle(folderLabel(data, one))}: ${one.item_count}`),
      ...data.tags.map((one) => `tag ${quoteTitle(tagLabel(data, one))}: ${one.item_count}`),
    ];
    const total = `Reports in ${data.owner}: ${data.item_count}, unfiled ${data.unfiled_count}, untagged ${data.untagged_count}.`;
    return { data, text: [lines.length === 0 ? "No drawers, folders or tags." : lines.join("\n"), total].join("\n") };
  },
});

const create = defineTool({
  name: "create_in_cabinet",
  title: "Create a drawer, folder or tag",
  description: "Create an empty drawer, folder or tag, unless it exists. Other tools create those they are given.",
  annotations: { ...ADDS, idempotentHint: true },
  input: z.strictObject({
    kind: z.enum(["drawer", "folder", "tag"]),
    label: label.describe('Title, or a path: "Drawer/Folder", "Parent tag/Tag".'),
    owner,
  }),
  output: z.object({ id: z.string(), label: z.string(), created: z.boolean() }),
  async run({ kind, label: requestedLabel, owner: requested }, { client }) {
    const slug = await workspaceOf(client, requested);
    const createEntry = async () => {
      if (kind === "folder") return findOrCreateFolder(client, slug, requestedLabel);
      const taxonomy = await readTaxonomy(client, slug);
      return (kind === "drawer" ? findOrCreateDrawer : findOrCreateTag)(client, taxonomy, requestedLabel);
    };
    const { id, title, isNew } = await createEntry();
    return {
      data: { id, label: title, created: isNew },
      text: `${isNew ? "Created" : "There already is"} ${kind} ${quoteTitle(title)} (${id}).`,
    };
  },
});

const changed = z.object({ updated: z.int(), matching: z.int().optional() });

/** Returns how many reports really changed: what undoes a call names those alone. */
const countChanged = (answers: readonly { undo: readonly { items: readonly unknown[] }[] }[]): number =>
  new Set(answers.flatMap(({ undo }) => undo.flatMap(({ items }) => items.map((item) => JSON.stringify(item))))).size;

/** Says that some reports needed no change. */
const unchangedNote = (chosen: number, updated: number): string =>
  updated === chosen ? "" : ` No change needed: ${chosen - updated}.`;

const fileReports = defineTool({
  name: "file_reports",
  title: "File reports in a folder",
  description:
    "Move reports to a folder, which is created if needed, or out of their folders. If one fails, none moves.",
  annotations: ARRANGES,
  input: z.strictObject({
    reports: reports.optional(),
    matching,
    expected_count: expectedCount,
    folder: z
      .string()
      .trim()
      .max(1000)
      .nullable()
      .transform((given) => given || null)
      .describe('"Drawer/Folder", or "Folder" at the root; "" to unfile.'),
    owner,
  }),
  aliases: { items: "reports", folder_id: "folder" },
  output: changed,
  async run({ folder, ...given }, { client }) {
    const selection = await select(client, given);
    const where = folder === null ? undefined : describeFolder(await readTaxonomy(client, selection.owner), folder);
    const moved = where === undefined ? "out of their folders" : `to ${where}`;
    if ("text" in selection) {
      return {
        data: { updated: 0, matching: selection.count },
        text: `Would move ${moved}. ${selection.text()}`,
      };
    }
    const target = folder === null ? undefined : await findOrCreateFolder(client, selection.owner, folder);
    const answers = await inBatches(client, selection, (items) =>
      client.call(fileItemsRoute, { body: { items, folder_id: target?.id ?? null } }),
    );
    const updated = countChanged(answers);
    return {
      data: { updated },
      text: `Reports moved ${moved}: ${updated}.${unchangedNote(selection.items.length, updated)}`,
    };
  },
});

const tagReports = defineTool({
  name: "tag_reports",
  title: "Tag reports",
  description:
    "Add, remove or replace tags of reports, by label. Tags that don't exist are created. If one report fails, none changes.",
  annotations: ARRANGES,
  input: z
    .strictObject({
      reports: reports.optional(),
      matching,
      expected_count: expectedCount,
      add: tagLabels.optional().describe('Such as ["Quarterly", "Region/North"].'),
      remove: tagLabels.optional(),
      set: tagLabels.optional().describe("Replace all tags; [] removes all."),
      owner,
    })
    .refine(
      ({ add, remove, set }) =>
        set === undefined ? add !== undefined || remove !== undefined : add === undefined && remove === undefined,
      "pass add, remove or both, or set alone",
    ),
  aliases: { items: "reports" },
  output: changed,
  async run({ add, remove, set, ...given }, { client }) {
    const selection = await select(client, given);
    const { owner: slug } = selection;
    const taxonomy = await readTaxonomy(client, slug);
    const added = [...(add ?? []), ...(set ?? [])].filter((one) => findTag(taxonomy, one) === undefined);
    const news = added.length === 0 ? "" : `\nNew tags: ${added.map(quoteTitle).join(", ")}.`;
    const what = describeTagging({ add, remove, set });
    if ("text" in selection) {
      return { data: { updated: 0, matching: selection.count }, text: `Would ${what}. ${selection.text()}${news}` };
    }
    // Before anything is created, because a wrong label to remove changes nothing.
    const removed = remove && existingTags(taxonomy, remove);
    const changes = [
      ...(removed === undefined ? [] : [{ remove: removed }]),
      ...(add === undefined ? [] : [{ add: await findOrCreateTags(client, slug, add) }]),
      ...(set === undefined ? [] : [{ set: await findOrCreateTags(client, slug, set) }]),
    ];
    const answers = [];
    for (const change of changes) {
      answers.push(
        ...(await inBatches(client, selection, (items) => client.call(tagItemsRoute, { body: { items, ...change } }))),
      );
    }
    const updated = countChanged(answers);
    return {
      data: { updated },
      text: `Reports in ${slug} changed (${what}): ${updated}.${unchangedNote(selection.items.length, updated)}${news}`,
    };
  },
});

interface Tagging {
  add?: readonly string[] | undefined;
  remove?: readonly string[] | undefined;
  set?: readonly string[] | undefined;
}

function describeTagging({ add = [], remove = [], set }: Tagging): string {
  const list = (labels: readonly string[]) => labels.map(quoteTitle).join(", ");
  if (set !== undefined) return set.length === 0 ? "remove all tags" : `replace all tags by ${list(set)}`;
  return [
    ...(remove.length === 0 ? [] : [`remove ${list(remove)}`]),
    ...(add.length === 0 ? [] : [`add ${list(add)}`]),
  ].join(" and ");
}

export const cabinetTools: readonly McpTool[] = [listCabinet, create, fileReports, tagReports];
