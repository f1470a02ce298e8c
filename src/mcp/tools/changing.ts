import { z } from "zod";
import { deleteCodeRoute, deleteGroupRoute, itemRoute, renameRoute, setVisibilityRoute } from "../../client/routes.ts";
import { code, hasOneReference, name, ONE_REFERENCE, reference } from "../schemas.ts";
import { ARRANGES, DESTROYS, defineTool, type McpTool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

const setVisibility = defineTool({
  name: "set_visibility",
  title: "Make a report public or private",
  description:
    "Make a report public, so that ANYONE with the link can read it, or private. By name it changes the report with all its versions; by code that version or report alone. Ask the person before making anything public.",
  annotations: { ...ARRANGES, openWorldHint: true },
  input: z
    .strictObject({ ...reference, visibility: z.enum(["public", "private"]).describe("public: anyone with the link.") })
    .refine(hasOneReference, ONE_REFERENCE),
  output: z.object({ visibility: z.enum(["public", "private"]) }),
  async run(body, { client }) {
    const data = await client.call(setVisibilityRoute, { body });
    return { data, text: `${body.name ?? body.code} is ${data.visibility} now.` };
  },
});

const renameReport = defineTool({
  name: "rename_report",
  title: "Rename a report",
  description:
    "Give a report with a name another name. Its live link changes with it, and links to the old name stop working; permanent links to versions stay.",
  annotations: { ...DESTROYS, idempotentHint: false },
  input: z.strictObject({
    name,
    new_name: z.string().max(1000).describe("1 to 63 lower-case letters, digits or hyphens, not yet taken."),
  }),
  output: z.object({ name }),
  async run({ name: old, new_name: newName }, { client }) {
    const data = await client.call(renameRoute, { body: { name: old, newName } });
    return { data, text: `${old} is named ${data.name} now.` };
  },
});

const deleted = z.object({ deleted_versions: z.int() });

const deleteReport = defineTool({
  name: "delete_report",
  title: "Delete a report",
  description:
    "Delete a report for ever: by name with ALL its versions, or by code one that has no name. It cannot be had back, and its links stop working. Ask the person first. For one version of several use delete_version.",
  annotations: DESTROYS,
  input: z.strictObject(reference).refine(hasOneReference, ONE_REFERENCE),
  output: deleted,
  async run({ name: wanted, code: sought = "" }, { client }) {
    if (wanted !== undefined) {
      const { deleted: count } = await client.call(deleteGroupRoute, { body: { name: wanted } });
      return { data: { deleted_versions: count }, text: `Deleted ${wanted} with its versions: ${count}.` };
    }
    const item = await client.call(itemRoute, { query: { code: sought } });
    if (item.name !== undefined) {
      throw new ToolError(
        `${sought} is a version of "${item.name}": use delete_version for it alone, or the name for all versions.`,
      );
    }
    return deleteOne(await client.call(deleteCodeRoute, { body: { code: sought } }), sought);
  },
});

const deleteVersion = defineTool({
  name: "delete_version",
  title: "Delete a version",
  description:
    "Delete one version of a report for ever, by its code. If it was current, the highest version that remains becomes current; with the last one the report is gone. It cannot be had back. Ask the person first.",
  annotations: DESTROYS,
  input: z.strictObject({ code }),
  output: deleted,
  async run({ code: sought }, { client }) {
    return deleteOne(await client.call(deleteCodeRoute, { body: { code: sought } }), sought);
  },
});

function deleteOne({ deleted: isDeleted }: { deleted: boolean }, sought: string) {
  if (!isDeleted) {
    throw new ToolError(
      `There is no version ${sought} of yours: list_versions gives the codes of a report's versions.`,
    );
  }
  return { data: { deleted_versions: 1 }, text: `Deleted ${sought}.` };
}

export const changingTools: readonly McpTool[] = [setVisibility, renameReport, deleteReport, deleteVersion];
