import { z } from "zod";
import type { Client } from "../../client/client.ts";
import {
  deleteCodeRoute,
  deleteGroupRoute,
  itemRoute,
  renameRoute,
  restoreTrashRoute,
  setVisibilityRoute,
  trashRoute,
} from "../../client/routes.ts";
import { code, hasOneReference, name, ONE_REFERENCE, reference } from "../schemas.ts";
import { ARRANGES, DESTROYS, defineTool, type McpTool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { workspaceOf } from "../workspaces.ts";

const setVisibility = defineTool({
  name: "set_visibility",
  title: "Make a report public or private",
  description:
    "Make a report public, so that ANYONE with the link can read it, or private. A name changes the report with all its versions, a code only that version. Ask the user before you make anything public.",
  annotations: { ...ARRANGES, openWorldHint: true },
  input: z
    .strictObject({
      ...reference,
      visibility: z.enum(["public", "private"]).describe("public: anyone with the link can read it."),
    })
    .refine(hasOneReference, ONE_REFERENCE),
  output: z.object({ visibility: z.enum(["public", "private"]) }),
  async run(body, { client }) {
    const data = await client.call(setVisibilityRoute, { body });
    return { data, text: `${body.name ?? body.code} is now ${data.visibility}.` };
  },
});

const renameReport = defineTool({
  name: "rename_report",
  title: "Rename a report",
  description:
    "Change the name of a report. Its live link changes, and links to the old name stop working. Permanent links to versions stay the same.",
  annotations: { ...DESTROYS, idempotentHint: false },
  input: z.strictObject({
    name,
    new_name: z.string().max(1000).describe("1 to 63 lowercase letters, digits or hyphens, not in use yet."),
  }),
  output: z.object({ name }),
  async run({ name: old, new_name: newName }, { client }) {
    const data = await client.call(renameRoute, { body: { name: old, newName } });
    return { data, text: `Renamed ${old} to ${data.name}.` };
  },
});

const deleted = z.object({ deleted_versions: z.int() });

const deleteReport = defineTool({
  name: "delete_report",
  title: "Delete a report",
  description:
    "Delete a report: by name with ALL its versions, or by code if it has no name. Its links stop working and its name becomes free. It goes to the trash, from which restore_deleted restores it until it expires. Ask the user first. To delete one of several versions, use delete_version.",
  annotations: DESTROYS,
  input: z.strictObject(reference).refine(hasOneReference, ONE_REFERENCE),
  output: deleted,
  async run({ name: requestedName, code: requestedCode = "" }, { client }) {
    if (requestedName !== undefined) {
      const { deleted: count } = await client.call(deleteGroupRoute, { body: { name: requestedName } });
      return { data: { deleted_versions: count }, text: `Deleted ${requestedName}. Versions deleted: ${count}.` };
    }
    const item = await client.call(itemRoute, { query: { code: requestedCode } });
    if (item.name !== undefined) {
      throw new ToolError(
        `${requestedCode} is a version of "${item.name}". Use delete_version to delete only this version, or the name to delete the report.`,
      );
    }
    return deleteOne(client, requestedCode);
  },
});

const deleteVersion = defineTool({
  name: "delete_version",
  title: "Delete a version",
  description:
    "Delete one version of a report by its code. If it was current, the highest remaining version becomes current. Deleting the last version deletes the report. It goes to the trash, from which restore_deleted restores it until it expires. Ask the user first.",
  annotations: DESTROYS,
  input: z.strictObject({ code }),
  output: deleted,
  run: ({ code: requestedCode }, { client }) => deleteOne(client, requestedCode),
});

async function deleteOne(client: Client, requestedCode: string) {
  const { deleted: isDeleted } = await client.call(deleteCodeRoute, { body: { code: requestedCode } });
  if (!isDeleted) {
    throw new ToolError(
      `You have no version with the code ${requestedCode}. Find the codes of a report's versions with list_versions.`,
    );
  }
  return { data: { deleted_versions: 1 }, text: `Deleted ${requestedCode}.` };
}

const restoreDeleted = defineTool({
  name: "restore_deleted",
  title: "Restore a deleted report",
  description:
    "Restore a deleted report or version from the trash, by the name or code it had. A version returns to its report. If the name is taken again, choose another one with new_name.",
  annotations: ARRANGES,
  input: z
    .strictObject({
      ...reference,
      owner: z.string().max(1000).optional().describe("Slug of the workspace. Default: the user's own."),
      new_name: z.string().max(1000).optional().describe("A new name for the report."),
    })
    .refine(hasOneReference, ONE_REFERENCE),
  output: z.object({ name: z.string().nullable(), code: z.string() }),
  async run({ name: oldName, code: oldCode, owner: requested, new_name: newName }, { client }) {
    const owner = await workspaceOf(client, requested);
    const query = oldName === undefined ? { owner, code: oldCode ?? "" } : { owner, name: oldName };
    const { entries } = await client.call(trashRoute, { query });
    const entry = entries.find(({ kind }) => oldName === undefined || kind === "report");
    if (entry === undefined) {
      throw new ToolError(
        `${oldName ?? oldCode} isn't in the trash of ${owner}. Check the name or code and the owner.`,
      );
    }
    const { restored } = await client.call(restoreTrashRoute, { body: { ids: [entry.id], name: newName } });
    const { name: restoredName = null, code: restoredCode = entry.code } = restored[0] ?? {};
    return { data: { name: restoredName, code: restoredCode }, text: `Restored ${restoredName ?? restoredCode}.` };
  },
});

export const changingTools: readonly McpTool[] = [
  setVisibility,
  renameReport,
  deleteReport,
  deleteVersion,
  restoreDeleted,
];
