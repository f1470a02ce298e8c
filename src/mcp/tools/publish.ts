import { z } from "zod";
import { ApiError, type Client } from "../../client/client.ts";
import { type BodyInput, itemRoute, uploadRoute } from "../../client/routes.ts";
import type { LocalFile } from "../local-files.ts";
import { code, expectedCode, name, owner, storage, visibility } from "../schemas.ts";
import { ADDS, defineTool, type McpTool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

/** Reads a file of the machine on which the agent works. Throws `ToolError`. */
export type ReadLocalFile = (path: string) => Promise<LocalFile>;

const inline = {
  path: z
    .string()
    .max(1000)
    .optional()
    .describe("Its name in the report, without directories: letters, digits, dots, underscores and hyphens."),
  content: z.string().optional().describe("The text itself, or base64 where encoding says so."),
  encoding: z.enum(["utf-8", "base64"]).optional().describe("Of content; utf-8 unless given."),
};

const local = {
  local_path: z
    .string()
    .max(4000)
    .optional()
    .describe("Absolute path of one file on this machine, to be read instead of giving content. No directories."),
};

const published = z.object({
  code,
  url: z.string().describe("The permanent link to exactly this version."),
  name: name.optional(),
  live_url: z.string().optional().describe("Of a report with a name: always shows the latest version."),
  owner: z.string(),
  visibility,
  created_at: z.string(),
  warnings: z.array(z.string()).describe("What may not work in the published report; mend it and publish again."),
});

interface FileInput {
  path?: string | undefined;
  content?: string | undefined;
  encoding?: "utf-8" | "base64" | undefined;
  local_path?: string | undefined;
}

/** With `readLocal`, files may be named by their paths; it is given where server and agent share a machine. */
export function publishTools(readLocal: ReadLocalFile | undefined): McpTool[] {
  const file: z.ZodType<FileInput> = z
    .strictObject(readLocal === undefined ? inline : { ...inline, ...local })
    .refine((given: FileInput) => (given.content === undefined) !== (given.local_path === undefined), {
      message: readLocal === undefined ? "content is required" : "give exactly one of content and local_path",
    });
  const size =
    readLocal === undefined
      ? "All together at most 2 MB; for more there is POST /api/upload, or `vitrine mcp` on the person's machine."
      : "At most 10 MB each and 20 MB together; larger ones are better given by local_path than as content.";
  const files = z
    .array(file)
    .min(1)
    .max(100)
    .describe(`The report's files; exactly one has the path index.html. A single file may leave its path out. ${size}`);
  const title = z.string().max(300).optional().describe("The title of the HTML document unless given.");

  const publishReport = defineTool({
    name: "publish_report",
    title: "Publish a report",
    description:
      "Publish an HTML report (index.html with the files beside it) and get its permanent link. Give a name if there will be newer versions later: the name's live link always shows the latest. Private unless visibility says otherwise; public lets anyone with the link read it, so ask the person first. Scripts run sandboxed: no cookies or localStorage unless storage is memory, files refer to each other by relative paths. For a newer version of a report that exists use publish_version.",
    annotations: { ...ADDS, openWorldHint: true },
    input: z.strictObject({
      files,
      name: name.optional().describe("1 to 63 lower-case letters, digits or hyphens, unique on the server."),
      title,
      owner,
      visibility: visibility.optional(),
      storage: storage.optional(),
      folder: z
        .string()
        .max(1000)
        .optional()
        .describe("Where it is filed: Drawer/Folder, or Folder at the root; made where missing."),
    }),
    output: published,
    async run({ files: given, ...rest }, { client }) {
      if (rest.name !== undefined && (await findItem(client, rest.name)) !== undefined) {
        throw new ToolError(
          `There is a report named "${rest.name}" already: use publish_version to publish its next version, or choose another name.`,
        );
      }
      // Should somebody else be quicker, theirs is not to be overwritten.
      const expected = rest.name === undefined ? {} : { expected_current_code: null };
      return upload(client, { ...rest, ...expected, files: await resolveFiles(given, readLocal) });
    },
  });

  const publishVersion = defineTool({
    name: "publish_version",
    title: "Publish a new version",
    description:
      "Publish the next version of a report that has a name. Its live link shows the new version at once, to readers who have it open as well; earlier versions keep their own links. All files are given anew: nothing is taken over from the version before. Visibility, folder and tags stay as they are; storage is none unless given.",
    annotations: { ...ADDS, openWorldHint: true },
    input: z.strictObject({ name, files, title, storage: storage.optional(), expected_current_code: expectedCode }),
    output: published,
    async run({ files: given, ...rest }, { client }) {
      const item = await findItem(client, rest.name);
      if (item === undefined) {
        throw new ToolError(
          `You have no report named "${rest.name}": find the right name with search_reports, or make it with publish_report.`,
        );
      }
      const { owner_slug: workspace } = item;
      return upload(client, { ...rest, owner: workspace, files: await resolveFiles(given, readLocal) });
    },
  });

  return [publishReport, publishVersion];
}

const findItem = (client: Client, sought: string) =>
  client.call(itemRoute, { query: { name: sought } }).catch((error) => {
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
        throw new ToolError("Each of several files needs its path, such as data.json.");
      return { path: path ?? "index.html", content: content ?? "", encoding: encoding ?? "utf-8" };
    }),
  );
}
