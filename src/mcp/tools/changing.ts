import { z } from "zod";
import { deleteCodeRoute, deleteItemsRoute, renameRoute, restoreTrashRoute, trashRoute } from "../../client/routes.ts";
import { audience, findAudience, people, setAudience, sharePeople } from "../audience.ts";
import { quoteTitle } from "../fence.ts";
import { findReport, referenceOf } from "../references.ts";
import { expectedCount, matching, name, owner, REPORT_ALIASES, report, reports, visibility } from "../schemas.ts";
import { inBatches, select } from "../selection.ts";
import { counted } from "../text.ts";
import { ARRANGES, DESTROYS, defineTool, type McpTool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { workspaceOf } from "../workspaces.ts";

const setVisibility = defineTool({
  name: "set_visibility",
  title: "Change who can read a report",
  description:
    "Change who can read a report with all its versions (a version's code: only that one). Ask the user before you share anything.",
  annotations: { ...ARRANGES, openWorldHint: true },
  input: z
    .strictObject({
      report,
      audience,
      add_people: people.describe("Email addresses."),
      remove_people: people,
    })
    .refine(
      ({ audience: given, add_people: add, remove_people: remove }) =>
        given !== undefined || add !== undefined || remove !== undefined,
      "pass audience, add_people or remove_people",
    ),
  aliases: { ...REPORT_ALIASES, visibility: "audience" },
  output: z.object({ visibility, people: z.array(z.string()).optional() }),
  async run({ report: text, audience: label, add_people: add, remove_people: remove }, { client }) {
    const chosen = label === undefined ? undefined : await findAudience(client, label);
    const { item, reference, versionCode } = await findReport(client, text);
    const target = versionCode === undefined ? reference : { code: versionCode };
    if (chosen !== undefined) await setAudience(client, target, chosen);
    const emails =
      add === undefined && remove === undefined ? undefined : await sharePeople(client, target, { add, remove });
    const data = {
      visibility: chosen?.visibility ?? item.visibility,
      ...(emails === undefined ? {} : { people: emails }),
    };
    const state =
      chosen === undefined
        ? `Visibility of ${text}: ${data.visibility}.`
        : `${text} is now ${data.visibility} (${chosen.label}).`;
    const shared = emails === undefined ? "" : ` Shared by name with: ${emails.join(", ") || "no one"}.`;
    return { data, text: state + shared };
  },
});

const renameReport = defineTool({
  name: "rename_report",
  title: "Rename a report",
  description:
    "Change the name of a report (not its title), and with it the live link. The old link stops working; version links stay.",
  annotations: { ...DESTROYS, idempotentHint: false },
  input: z.strictObject({
    report,
    new_name: z.string().max(1000).describe("Lowercase letters, digits and hyphens; not in use yet."),
  }),
  aliases: REPORT_ALIASES,
  output: z.object({ name }),
  async run({ report: text, new_name: newName }, { client }) {
    const { item } = await findReport(client, text);
    if (item.name === undefined) {
      throw new ToolError(`${item.code} has no name. Publish it again with publish_report and a name.`);
    }
    const data = await client.call(renameRoute, { body: { name: item.name, newName } });
    return { data, text: `Renamed ${item.name} to ${data.name}.` };
  },
});

const deleteReports = defineTool({
  name: "delete_reports",
  title: "Delete reports",
  description:
    "Delete reports with ALL their versions, all or none. Their links stop working. restore_deleted restores them from the trash until they expire. Ask the user first. For one version, use delete_version.",
  annotations: DESTROYS,
  input: z.strictObject({
    reports: reports.optional(),
    matching,
    expected_count: expectedCount,
    dry_run: z.boolean().default(false).describe("Only say what would be deleted."),
    owner,
  }),
  output: z.object({ deleted: z.int(), would_delete: z.int().optional() }),
  async run({ dry_run: isDryRun, ...given }, { client }) {
    const selection = await select(client, given);
    if ("text" in selection) {
      const text = isDryRun
        ? `${selection.text}\nThis was a dry run: leave out dry_run to delete them.`
        : selection.text;
      return { data: { deleted: 0, would_delete: selection.count }, text };
    }
    const found = await Promise.all((selection.texts ?? []).map((text) => findReport(client, text)));
    for (const { item, versionCode } of found) {
      if (versionCode === undefined || item.name === undefined) continue;
      throw new ToolError(
        `${versionCode} is a version of "${item.name}". Use delete_version to delete only this version, or pass the name to delete the report.`,
      );
    }
    const items = selection.texts === undefined ? selection.items : found.map(({ reference }) => reference);
    if (isDryRun) {
      const names = found.map(
        ({ item }) => `${item.name ?? item.code}: ${quoteTitle(item.title)}, ${counted(item.version_count, "version")}`,
      );
      const list = names.length > 0 ? names : items.map((item) => ("name" in item ? item.name : item.code));
      return {
        data: { deleted: 0, would_delete: items.length },
        text: `Would delete ${counted(items.length, "report")}. Nothing was changed.\n${list.join("\n")}`,
      };
    }
    const answers = await inBatches(client, { owner: selection.owner, items }, (batch) =>
      client.call(deleteItemsRoute, { body: { items: batch } }),
    );
    const count = answers.reduce((sum, answer) => sum + answer.deleted, 0);
    const isKept = answers.every(({ undo }) => undo !== null);
    const how = isKept
      ? "restore_deleted restores each by its name or code."
      : "This can't be undone: the server has no trash.";
    return { data: { deleted: count }, text: `Deleted ${counted(count, "report")}. ${how}` };
  },
});

const deleteVersion = defineTool({
  name: "delete_version",
  title: "Delete a version",
  description:
    "Delete one version of a report; if it was current, the highest remaining one becomes current. It goes to the trash. Ask the user first.",
  annotations: DESTROYS,
  input: z.strictObject({ version: z.string().trim().min(1).max(4000).describe("Its code or link, or name@2.") }),
  aliases: { code: "version" },
  output: z.object({ deleted_versions: z.int() }),
  async run({ version: text }, { client }) {
    const { item, versionCode } = await findReport(client, text);
    if (versionCode === undefined) {
      throw new ToolError(
        `"${text}" is a report, not a version. Pass a version such as ${item.name ?? item.code}@1 (see list_versions), or use delete_reports.`,
      );
    }
    const { deleted } = await client.call(deleteCodeRoute, { body: { code: versionCode } });
    if (!deleted) throw new ToolError(`You can't delete ${versionCode}: it isn't your version. See list_versions.`);
    return { data: { deleted_versions: 1 }, text: `Deleted ${versionCode}. restore_deleted restores it.` };
  },
});

const restoreDeleted = defineTool({
  name: "restore_deleted",
  title: "Restore a deleted report",
  description: "Restore a deleted report or version from the trash. A version returns to its report.",
  annotations: ARRANGES,
  input: z.strictObject({
    report: z.string().trim().min(1).max(4000).describe("The name or code it had."),
    owner,
    new_name: z.string().max(1000).optional().describe("If its name is taken again."),
  }),
  aliases: REPORT_ALIASES,
  output: z.object({ name: z.string().nullable(), code: z.string() }),
  async run({ report: text, owner: requested, new_name: newName }, { client }) {
    const slug = await workspaceOf(client, requested);
    const reference = referenceOf(text) ?? { name: text };
    const { entries } = await client.call(trashRoute, { query: { owner: slug, ...reference } });
    const entry = entries.find(({ kind }) => "code" in reference || kind === "report");
    if (entry === undefined) {
      throw new ToolError(`${text} isn't in the trash of ${slug}. Check the name or code and the owner.`);
    }
    const { restored } = await client.call(restoreTrashRoute, { body: { ids: [entry.id], name: newName } });
    const { name: restoredName = null, code: restoredCode = entry.code } = restored[0] ?? {};
    return { data: { name: restoredName, code: restoredCode }, text: `Restored ${restoredName ?? restoredCode}.` };
  },
});

export const changingTools: readonly McpTool[] = [
  setVisibility,
  renameReport,
  deleteReports,
  deleteVersion,
  restoreDeleted,
];
