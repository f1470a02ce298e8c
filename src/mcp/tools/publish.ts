import { z } from "zod";
import { ApiError, type Client } from "../../client/client.ts";
import { findOrCreateTags, LabelError, readTaxonomy } from "../../client/labels.ts";
import { type BodyInput, itemRoute, reportRoute, tagItemsRoute, uploadRoute } from "../../client/routes.ts";
import { type Audience, audience, findAudience, people, setAudience, sharePeople } from "../audience.ts";
import { describeFolder } from "../folders.ts";
import type { LocalFile } from "../local-files.ts";
import { describeReaders, readersOf } from "../readers.ts";
import { findNamed, findReport, ifAnswered, type Reference } from "../references.ts";
import { code, expectedCode, name, owner, REPORT_ALIASES, report, storage, tagLabels, visibility } from "../schemas.ts";
import { describeTags } from "../tags.ts";
import { counted } from "../text.ts";
import { ADDS, defineTool, type McpTool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { requireMember } from "../workspaces.ts";

/** Reads a file on the agent's machine. Throws `ToolError`. */
export type ReadLocalFile = (path: string) => Promise<LocalFile>;

const inline = {
  path: z.string().max(1000).optional().describe("File name, without directories."),
  content: z.string().optional().describe("Text or base64."),
  encoding: z.enum(["utf-8", "base64"]).optional(),
};

const local = {
  local_path: z.string().max(4000).optional().describe("Absolute path of a file to read, instead of content."),
};

const published = z.object({
  code,
  url: z.string(),
  name: name.optional(),
  live_url: z.string().optional(),
  owner: z.string(),
  visibility,
  created_at: z.string(),
  warnings: z.array(z.string()),
  folder: z.string().optional(),
  version_no: z.int().optional(),
  previous_code: code.optional(),
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
  const size = readLocal === undefined ? "2 MB in total" : "10 MB each, 20 MB in total";
  const files = z
    .array(file)
    .min(1)
    .max(100)
    .describe(
      `One must be index.html (a single file needs no path). They refer to each other by relative paths. At most ${size}.`,
    );
  const title = z.string().max(300).optional().describe("Default: that of the page.");
  const note = z.string().max(500).optional().describe("What has changed, in a few words.");

  const publishReport = defineTool({
    name: "publish_report",
    title: "Publish a report",
    description:
      "Publish a new HTML report and return its links. Give it a name if it'll have further versions, which publish_version adds: its live link always shows the current one. Pages run in a sandbox without cookies and localStorage.",
    annotations: { ...ADDS, openWorldHint: true },
    input: z.strictObject({
      files,
      name: z.string().max(1000).optional().describe("Lowercase letters, digits and hyphens; unique on the server."),
      title,
      audience,
      people: people.describe("Email addresses of people who can read it too."),
      folder: z.string().max(1000).optional().describe('"Drawer/Folder", or "Folder" at the root. Created if needed.'),
      tags: tagLabels.optional().describe('Labels, such as ["Quarterly"]. Created if needed.'),
      note,
      owner: owner.describe("Workspace slug (default: that of the access token)."),
      storage: storage.optional(),
    }),
    aliases: { visibility: "audience" },
    output: published,
    async run({ files: given, audience: label, people: emails = [], tags = [], ...rest }, { client, now }) {
      if (rest.name !== undefined && (await findNamed(client, rest.name)) !== undefined) {
        throw new ToolError(
          `A report named "${rest.name}" already exists. Use publish_version to publish its next version, or choose another name.`,
        );
      }
      // What can be wrong is found before anything is published.
      const chosen = label === undefined ? undefined : await findAudience(client, label);
      const resolved = await resolveFiles(given, readLocal);
      const answer = await upload(client, { ...rest, ...expectNew(rest), ...visibilityOf(chosen), files: resolved });
      const reference = rest.name === undefined ? { code: answer.code } : { name: rest.name };
      const failures = await settle([
        // The answer says in which workspace it is, which depends on the access token.
        tags.length > 0 && { what: "tags", run: () => addTags(client, answer.owner, reference, tags) },
        chosen?.visibility === "org" && { what: "audience", run: () => setAudience(client, reference, chosen) },
        emails.length > 0 && { what: "people", run: () => sharePeople(client, reference, { add: emails }) },
      ]);
      const warnings = [...answer.warnings, ...failures];
      // What was published is published, even if the server doesn't describe it now.
      const seen = await ifAnswered(describeItem(client, reference, now()));
      const data = { ...answer, ...seen?.data, warnings };
      return { data, text: describePublished(`Published ${answer.code}`, data, seen?.lines ?? []) };
    },
  });

  const publishVersion = defineTool({
    name: "publish_version",
    title: "Publish a new version",
    description:
      "Publish the next version of a named report. Its live link shows it at once; earlier versions keep their links. Pass all files: none is copied from the previous version. Audience, folder and tags stay.",
    annotations: { ...ADDS, openWorldHint: true },
    input: z.strictObject({
      report,
      files: files.describe("All files, as for publish_report."),
      title,
      note,
      storage: storage.optional().describe("Default: as before."),
      expected_current_code: expectedCode,
      addresses: z.array(z.string()).max(200).optional().describe("Comment threads that it addresses."),
    }),
    aliases: REPORT_ALIASES,
    output: published,
    async run({ report: text, files: given, ...rest }, { client }) {
      const { item } = await findReport(client, text);
      if (item.name === undefined) {
        throw new ToolError(
          `${item.code} has no name, so it can't have another version. Publish the files with publish_report and a name.`,
        );
      }
      await requireMember(client, item);
      const read = (version: string) => client.call(reportRoute, { query: { code: version } });
      const previous = await read(item.code);
      const body = { ...rest, name: item.name, owner: item.owner_slug, files: await resolveFiles(given, readLocal) };
      const answer = await upload(client, body);
      const version = await ifAnswered(read(answer.code));
      const number = version === undefined ? {} : { version_no: version.version_no };
      const what = version === undefined ? answer.code : `version ${version.version_no} (${answer.code})`;
      const addressed = rest.addresses ?? [];
      const notes = [
        `Before, version ${previous.version_no} (${previous.code}) was current.`,
        ...(addressed.length === 0
          ? []
          : [`It addresses ${counted(addressed.length, "thread")}, still open until resolved (resolve_comment).`]),
      ];
      return {
        data: { ...answer, ...number, previous_code: previous.code },
        text: describePublished(`Published ${what}`, answer, notes),
      };
    },
  });

  return [publishReport, publishVersion];
}

/** Makes the upload fail if the name is taken between the check and the upload. */
const expectNew = ({ name: given }: { name?: string | undefined }) =>
  given === undefined ? {} : { expected_current_code: null };

/** Returns the visibility to upload with. What is for an organization is private until it is shared. */
function visibilityOf(chosen: Audience | undefined) {
  if (chosen === undefined) return {};
  return { visibility: chosen.visibility === "org" ? ("private" as const) : chosen.visibility };
}

/** Says where a report is now and who can read it. Its links may be others than those it was uploaded with. */
async function describeItem(client: Client, reference: Reference, now: number) {
  const item = await client.call(itemRoute, { query: reference });
  const { visibility: shared, url, live_url, folder, owner_slug: owner } = item;
  const who = await readersOf(client, item, { now });
  const isArranged = folder !== null || item.tags.length > 0;
  const taxonomy = isArranged ? await readTaxonomy(client, owner) : undefined;
  const place = folder === null || taxonomy === undefined ? undefined : describeFolder(taxonomy, folder);
  const tags = describeTags(item.tags, taxonomy);
  const lines = [
    ...(place === undefined ? [] : [`In ${place}.`]),
    ...(tags === undefined ? [] : [`Tags: ${tags}.`]),
    ...(who === undefined ? [] : [describeReaders(who)]),
  ];
  const data = { visibility: shared, url, ...(live_url && { live_url }), ...(folder !== null && { folder }) };
  return { data, lines };
}

interface Step {
  what: "tags" | "audience" | "people";
  run(): Promise<unknown>;
}

async function addTags(client: Client, workspace: string, reference: Reference, labels: readonly string[]) {
  const add = await findOrCreateTags(client, workspace, labels);
  return client.call(tagItemsRoute, { body: { items: [reference], add } });
}

/** Runs steps that follow a publish. Returns what failed, because the report is published all the same. */
async function settle(steps: readonly (false | Step)[]): Promise<string[]> {
  const failures: string[] = [];
  for (const { what, run } of steps.filter((step) => step !== false)) {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof LabelError || error instanceof ToolError)) throw error;
      const tool = what === "tags" ? "tag_reports" : "set_visibility";
      failures.push(`${what} couldn't be set: ${error.message} Set them with ${tool}.`);
    }
  }
  return failures;
}

async function upload(client: Client, body: BodyInput<typeof uploadRoute>) {
  const { nameUrl, ...rest } = await client.call(uploadRoute, { body });
  return { ...rest, ...(nameUrl === undefined ? {} : { live_url: nameUrl }) };
}

function describePublished(what: string, data: z.output<typeof published>, notes: readonly string[]): string {
  const links = data.live_url === undefined ? data.url : `${data.live_url} (this version: ${data.url})`;
  const warnings = data.warnings.map((warning) => `Warning: ${warning}`);
  return [`${what}, ${data.visibility}: ${links}`, ...notes, ...warnings].join("\n");
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
