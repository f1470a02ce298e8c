import { z } from "zod";
import { ApiError, type Client } from "../../client/client.ts";
import { type BodyInput, itemRoute, uploadRoute } from "../../client/routes.ts";
import type { LocalFile } from "../local-files.ts";
import { code, expectedCode, name, owner, storage, visibility } from "../schemas.ts";
import { ADDS, defineTool, type McpTool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

/** Reads a file on the agent's machine. Throws `ToolError`. */
export type ReadLocalFile = (path: string) => Promise<LocalFile>;

const inline = {
  path: z
    .string()
    .max(1000)
    .optional()
    .describe("File name in the report, without directories: letters, digits, dots, underscores and hyphens."),
  content: z.string().optional().describe("Content of the file, as text or base64."),
  encoding: z.enum(["utf-8", "base64"]).optional().describe("Encoding of content (default: utf-8)."),
};

const local = {
  local_path: z
    .string()
    .max(4000)
    .optional()
    .describe("Absolute path of a file on this machine, instead of content. Not a directory."),
};

const published = z.object({
  code,
  url: z.string().describe("Permanent link to this version."),
  name: name.optional(),
  live_url: z.string().optional().describe("Live link of a named report, which always shows the latest version."),
  owner: z.string(),
  visibility,
  created_at: z.string(),
  warnings: z.array(z.string()).describe("What may not work in the published report. Fix it and publish again."),
});

interface FileInput {
  path?: string | undefined;
  content?: string | undefined;
  encoding?: "utf-8" | "base64" | undefined;
  local_path?: string | undefined;
}

/** Returns the tools that publish. They accept local paths only if `readLocal` is given. */
export function publishTools(readLocal: ReadLocalFile | undefined): McpTool[] {
  const file: z.ZodType<FileInput> = z
    .strictObject(readLocal === undefined ? inline : { ...inline, ...local })
    .refine((given: FileInput) => (given.content === undefined) !== (given.local_path === undefined), {
      message: readLocal === undefined ? "content is required" : "pass exactly one of content and local_path",
    });
  const size =
    readLocal === undefined
      ? "At most 2 MB in total. For more, use POST /api/upload, or `vitrine mcp` on the user's machine."
      : "At most 10 MB each and 20 MB in total. For large files, use local_path instead of content.";
  const files = z
    .array(file)
    .min(1)
    .max(100)
    .describe(`Files of the report. Exactly one must have the path index.html; a single file needs no path. ${size}`);
  const title = z.string().max(300).optional().describe("Title (default: the title of the HTML document).");
  const note = z.string().max(500).optional().describe("What has changed in this version, in a few words.");

  const publishReport = defineTool({
    name: "publish_report",
    title: "Publish a report",
    description:
      "Publish an HTML report (index.html and the files beside it) and return its permanent link. Pass a name if the report will have further versions; its live link always shows the latest one. Reports are private by default, unless an organization has set another default. With visibility public, anyone with the link can read the report, so ask the user first. Scripts run in a sandbox, without cookies and localStorage unless storage is memory. Files must refer to each other by relative paths. To publish a new version of an existing report, use publish_version.",
    annotations: { ...ADDS, openWorldHint: true },
    input: z.strictObject({
      files,
      name: name.optional().describe("Name: 1 to 63 lowercase letters, digits or hyphens, unique on the server."),
      title,
      note,
      owner,
      visibility: visibility.optional(),
      storage: storage.optional(),
      folder: z
        .string()
        .max(1000)
        .optional()
        .describe("Folder for the report: Drawer/Folder, or Folder at the root. Created if needed."),
    }),
    output: published,
    async run({ files: given, ...rest }, { client }) {
      if (rest.name !== undefined && (await findItem(client, rest.name)) !== undefined) {
        throw new ToolError(
          `A report named "${rest.name}" already exists. Use publish_version to publish its next version, or choose another name.`,
        );
      }
      // Fails if the name is taken between the check and the upload.
      const expected = rest.name === undefined ? {} : { expected_current_code: null };
      return upload(client, { ...rest, ...expected, files: await resolveFiles(given, readLocal) });
    },
  });

  const publishVersion = defineTool({
    name: "publish_version",
    title: "Publish a new version",
    description:
      "Publish the next version of a named report. Its live link shows the new version at once, even to readers who have it open. Earlier versions keep their links. Pass all files: none is copied from the previous version. Visibility, storage, folder and tags stay the same.",
    annotations: { ...ADDS, openWorldHint: true },
    input: z.strictObject({
      name,
      files,
      title,
      note,
      storage: storage.optional(),
      expected_current_code: expectedCode,
    }),
    output: published,
    async run({ files: given, ...rest }, { client }) {
      const item = await findItem(client, rest.name);
      if (item === undefined) {
        throw new ToolError(
          `You have no report named "${rest.name}". Find the right name with search_reports, or publish a new report with publish_report.`,
        );
      }
      const { owner_slug: workspace } = item;
      return upload(client, { ...rest, owner: workspace, files: await resolveFiles(given, readLocal) });
    },
  });

  return [publishReport, publishVersion];
}

const findItem = (client: Client, requestedName: string) =>
  client.call(itemRoute, { query: { name: requestedName } }).catch((error) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });

async function upload(to: Client, body: BodyInput<typeof uploadRoute>) {
  const { nameUrl, ...rest } = await to.call(uploadRoute, { body });
  const data = { ...rest, ...(nameUrl === undefined ? {} : { live_url: nameUrl }) };
  const links = nameUrl === undefined ? rest.url : `${nameUrl} (this version: ${rest.url})`;
  const warnings = rest.warnings.map((warning) => `\nWarning: ${warning}`).join("");
  return { data, text: `Published ${rest.code}, ${rest.visibility}: ${links}${warnings}` };
}

async function resolveFiles(given: readonly FileInput[], readLocal: ReadLocalFile | undefined) {
  const isAlone = given.length === 1;
  return Promise.all(
    given.map(async ({ path, content, encoding, local_path: localPath }) => {
      if (localPath !== undefined && readLocal !== undefined) {
        const { name: ownName, ...read } = await readLocal(localPath);
        return { path: path ?? (isAlone ? "index.html" : ownName), ...read };
      }
      if (path === undefined && !isAlone)
        throw new ToolError("Each file needs a path, such as data.json. Only a single file can omit it.");
      return { path: path ?? "index.html", content: content ?? "", encoding: encoding ?? "utf-8" };
    }),
  );
}
