import { z } from "zod";
import type { Client } from "../../client/client.ts";
import { parseReferenceText } from "../../client/references.ts";
import {
  deleteCodeRoute,
  deleteItemsRoute,
  itemRoute,
  restoreTrashRoute,
  type TrashEntryView,
  trashRoute,
} from "../../client/routes.ts";
import { quoteTitle } from "../fence.ts";
import { describeVersion, findReport, type Reference, referenceOf, unlessMissing } from "../references.ts";
import { expectedCount, matching, owner, REPORTS_ALIASES, reports } from "../schemas.ts";
import { inBatches, select } from "../selection.ts";
import { counted, minute } from "../text.ts";
import { ARRANGES, DESTROYS, defineTool, type McpTool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { workspaceOf } from "../workspaces.ts";

/** Names that an answer lists. */
const NAMED = 200;

const nameOf = (item: Reference) => ("name" in item ? item.name : item.code);

function listNames(names: readonly string[]): string {
  const more = names.length > NAMED ? `, and ${names.length - NAMED} more` : "";
  return names.slice(0, NAMED).join(", ") + more;
}

const deleteReports = defineTool({
  name: "delete_reports",
  title: "Delete reports",
  description:
    "Delete reports with ALL their versions, all or none. Their links stop working; restore_deleted undoes it for some time. Ask the user first. For one version, use delete_version.",
  annotations: DESTROYS,
  input: z.strictObject({
    reports: reports.optional(),
    matching,
    expected_count: expectedCount,
    dry_run: z.boolean().default(false).describe("Only say what would be deleted."),
    owner,
  }),
  output: z.object({ deleted: z.int(), would_delete: z.int().optional(), restorable_until: z.string().optional() }),
  async run({ dry_run: isDryRun, ...given }, { client }) {
    const selection = await select(client, isDryRun ? { ...given, expected_count: undefined } : given);
    if ("text" in selection) {
      const without = isDryRun ? " and without dry_run" : "";
      return {
        data: { deleted: 0, would_delete: selection.count },
        text: `Would delete: ${selection.text(`expected_count ${selection.count}${without}`)}`,
      };
    }
    const found = await Promise.all((selection.texts ?? []).map((text) => findReport(client, text)));
    for (const { item, versionCode } of found) {
      if (versionCode === undefined || item.name === undefined) continue;
      throw new ToolError(
        `${versionCode} is a version of "${item.name}". Use delete_version to delete only this version, or pass the name to delete the report.`,
      );
    }
    if (isDryRun) {
      const lines = found.map(
        ({ item }) => `${item.name ?? item.code}: ${quoteTitle(item.title)}, ${counted(item.version_count, "version")}`,
      );
      return {
        data: { deleted: 0, would_delete: found.length },
        text: `Would delete ${counted(found.length, "report")}. Nothing was changed. To delete them, repeat the call without dry_run.\n${lines.join("\n")}`,
      };
    }
    const items = selection.texts === undefined ? selection.items : found.map(({ reference }) => reference);
    const answers = await inBatches(client, { owner: selection.owner, items }, (batch) =>
      client.call(deleteItemsRoute, { body: { items: batch } }),
    );
    const count = answers.reduce((sum, answer) => sum + answer.deleted, 0);
    const until = answers.map(({ undo }) => undo?.expires_at).find((at) => at !== undefined);
    const names = listNames(items.map(nameOf));
    const how =
      until === undefined
        ? "This can't be undone: the server has no trash."
        : `They stay in the trash until ${minute(until)}. To get them back, call restore_deleted with these names${selection.owner === (await workspaceOf(client, undefined)) ? "" : ` and owner ${selection.owner}`}.`;
    return {
      data: { deleted: count, ...(until === undefined ? {} : { restorable_until: until }) },
      text: `Deleted ${counted(count, "report")} of ${selection.owner}: ${names}. ${how}`,
    };
  },
});

const deleteVersion = defineTool({
  name: "delete_version",
  title: "Delete a version",
  description:
    "Delete one version of a report; if it was current, the highest remaining one becomes current. Ask the user first.",
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
    const which = await describeVersion(client, versionCode);
    const { deleted } = await client.call(deleteCodeRoute, { body: { code: versionCode } });
    if (!deleted) throw new ToolError(`You can't delete ${versionCode}: it isn't your version. See list_versions.`);
    const lines = [
      `Deleted ${which} of ${item.name ?? item.code}.`,
      await describeRest(client, item.name),
      await describeUndo(client, item.owner_slug, versionCode),
    ];
    return { data: { deleted_versions: 1 }, text: lines.join(" ") };
  },
});

/** Says what is current after a version was deleted. */
async function describeRest(client: Client, name: string | undefined): Promise<string> {
  const rest = name === undefined ? undefined : await client.call(itemRoute, { query: { name } }).catch(unlessMissing);
  if (rest === undefined) return "It was the only one, so the report is deleted too.";
  return `The live link shows ${await describeVersion(client, rest.code)}.`;
}

async function describeUndo(client: Client, slug: string, code: string): Promise<string> {
  const { entries } = await client.call(trashRoute, { query: { owner: slug, code } });
  const [entry] = entries;
  if (entry === undefined) return "This can't be undone: the server has no trash.";
  return `restore_deleted with ${code} restores it until ${minute(entry.expires_at)}.`;
}

const restored = z.array(z.object({ name: z.string().nullable(), code: z.string() }));
const trashed = z.array(
  z.object({
    name: z.string().nullable(),
    code: z.string(),
    title: z.string(),
    version_no: z.int().nullable(),
    deleted_at: z.string(),
    expires_at: z.string(),
  }),
);

const restoreDeleted = defineTool({
  name: "restore_deleted",
  title: "Restore or list deleted reports",
  description: "Restore deleted reports or versions, all or none. Without reports, list the trash.",
  annotations: ARRANGES,
  input: z.strictObject({
    reports: z
      .preprocess(
        (given) => (typeof given === "string" ? [given] : given),
        z.array(z.string().trim().min(1).max(4000)).min(1).max(200),
      )
      .optional()
      .describe("Names or codes they had, or name@2."),
    owner,
    new_name: z.string().max(1000).optional().describe("If its name is taken again."),
  }),
  aliases: REPORTS_ALIASES,
  output: z.object({ restored: restored.optional(), trash: trashed.optional() }),
  async run({ reports: texts, owner: requested, new_name: newName }, { client }) {
    const slug = await workspaceOf(client, requested);
    if (texts === undefined) return listTrash(client, slug);
    const found = await Promise.all(texts.map((text) => findTrashed(client, slug, text)));
    const entries = found.filter((entry) => entry !== undefined);
    if (entries.length === 0)
      return { data: { restored: [] }, text: `Nothing to restore: ${texts.join(", ")} isn't deleted.` };
    const ids = [...new Set(entries.map(({ id }) => id))];
    const answer = await client.call(restoreTrashRoute, { body: { ids, name: newName } });
    const lines = await Promise.all(
      answer.restored.map(({ kind, name, code }) =>
        kind === "report" ? `Restored ${name ?? code}.` : describeRestored(client, name, code),
      ),
    );
    return { data: { restored: answer.restored.map(({ name, code }) => ({ name, code })) }, text: lines.join("\n") };
  },
});

async function describeRestored(client: Client, name: string | null, code: string): Promise<string> {
  const which = `Restored ${await describeVersion(client, code)} of ${name ?? code}.`;
  if (name === null) return which;
  const { code: current } = await client.call(itemRoute, { query: { name } });
  return current === code
    ? `${which} It is current again.`
    : `${which} The live link shows ${await describeVersion(client, current)}; set_latest changes that.`;
}

/** Returns what a text means in the trash; undefined for what isn't deleted. Throws `ToolError`. */
async function findTrashed(client: Client, slug: string, text: string): Promise<TrashEntryView | undefined> {
  const { word, versionNo } = parseReferenceText(text);
  const reference = referenceOf(word) ?? { name: word };
  const { entries } = await client.call(trashRoute, { query: { owner: slug, ...reference } });
  const entry = entries.find(({ kind, version_no: number }) =>
    versionNo === undefined ? "code" in reference || kind === "report" : number === versionNo,
  );
  if (entry !== undefined) return entry;
  const existing = await findReport(client, text).catch((error) => {
    if (error instanceof ToolError) return undefined;
    throw error;
  });
  if (existing !== undefined) return undefined;
  throw new ToolError(
    `${text} isn't in the trash of ${slug}. Check the name or code and the owner. restore_deleted without reports lists the trash.`,
  );
}

async function listTrash(client: Client, slug: string) {
  const page = await client.call(trashRoute, { query: { owner: slug, limit: NAMED } });
  const trash = page.entries.map(({ name, code, title, version_no, deleted_at, expires_at }) => ({
    ...{ name, code, title, version_no, deleted_at, expires_at },
  }));
  const lines = trash.map(({ name, code, title, version_no: number, deleted_at: at, expires_at: until }) => {
    const which = number === null ? (name ?? code) : `${name ?? code}@${number} (${code})`;
    return `${which}: ${quoteTitle(title)}, deleted ${minute(at)}, restorable until ${minute(until)}`;
  });
  const note = page.next_cursor === null ? undefined : `These are the last ${NAMED}. There are more.`;
  return { data: { trash }, text: lines.join("\n") || `The trash of ${slug} is empty.`, note };
}

export const trashTools: readonly McpTool[] = [deleteReports, deleteVersion, restoreDeleted];
