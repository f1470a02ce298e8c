import { Command, Option } from "commander";
import type { ResponseOf } from "../client/lazy-routes.ts";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { uploadRoute } from "../client/routes.ts";
import { openInBrowser } from "./browser.ts";
import type { CliContext } from "./cli-context.ts";
import type { Mention } from "./flatten.ts";
import {
  type Connection,
  collect,
  connect,
  filled,
  outputFor,
  type ServerOptions,
  withExamples,
  withServerOptions,
} from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { ownerOf, requireOrganization } from "./owners.ts";
import { createTransferProgress } from "./progress.ts";
import { requireName } from "./references.ts";
import { collectFiles, INDEX_FILE, type SourceFile } from "./report-files.ts";
import type { Session } from "./session.ts";
import { counted, inUnits, wrapped } from "./text.ts";
import { toForm } from "./upload-body.ts";
import { checkTotal } from "./upload-limits.ts";

interface PublishOptions extends ServerOptions {
  name?: string;
  title?: string;
  message?: string | undefined;
  folder?: string;
  addresses?: string[];
  tag?: string[];
  owner?: string;
  public?: boolean;
  visibility?: "public" | "private" | "org";
  storage?: "none" | "memory";
  flatten?: boolean;
  allowEmpty?: boolean;
  dryRun?: boolean;
  open?: boolean;
  watch?: boolean;
}

type Published = ResponseOf<typeof uploadRoute>;

/** Notes on flattened files that are printed one by one. */
const MAX_NOTES = 20;

export function publishCommand(context: CliContext): Command {
  const command = new Command("publish")
    .description("Publish a report and print its link.")
    .argument("<path...>", "a directory with index.html, an HTML file, - for HTML on standard input, or several files")
    .option(
      "--name <name>",
      "publish as the next version of the report with this name, whose live link shows the latest version",
    )
    .option("--title <title>", "title (default: the title of the HTML document)")
    .option("-m, --message <note>", "what has changed in this version")
    .option("--addresses <thread>", "comment thread that this version addresses, by ID (repeatable)", collect)
    .option("--folder <label>", "folder for a new report, as DRAWER/FOLDER or FOLDER")
    .option("--tag <title>", "add this tag, which is created if needed (repeatable)", collect)
    .option("--owner <slug>", "workspace to publish to (default: that of the access token)")
    .option("--public", "let anyone with the link read the report (default: private, or what the organization has set)")
    .addOption(
      new Option("--visibility <who>", "who can read the report")
        .choices(["public", "private", "org"])
        .conflicts("public"),
    )
    .addOption(
      new Option(
        "--storage <kind>",
        "memory gives pages a temporary localStorage, for those that do not work without one (default: that of the report)",
      ).choices(["none", "memory"]),
    )
    .option(
      "--flatten",
      "publish files in subdirectories too: move them beside index.html and update references in HTML and CSS",
    )
    .option("--allow-empty", "publish even if index.html is empty")
    .option("--dry-run", "list the files that would be published, without sending them")
    .option("--open", "open the link in the browser")
    .option("--watch", "publish a new version whenever a file changes (requires --name)");
  withServerOptions(command)
    .addHelpText(
      "after",
      filled("Publishing requires an access token with the scope reports:write, from VITRINE_TOKEN or vitrine login."),
    )
    .action((paths: string[], options: PublishOptions) => publish(paths, options, context));
  return withExamples(
    command,
    "vitrine publish my-report/ --name weekly-sales --tag weekly --public",
    "vitrine publish report.html --title 'A single page'",
    "vitrine publish my-report/ --name weekly-sales -m 'Added returns'",
    "make-report | vitrine publish - --name nightly --quiet",
    "vitrine publish my-report/ --name weekly-sales --watch",
  );
}

async function publish(paths: readonly string[], options: PublishOptions, context: CliContext): Promise<void> {
  if (options.name !== undefined) requireName(options.name, "--name");
  if (options.watch) requireWatchable(paths, options);
  if (options.dryRun) return tryOut(paths, options, outputFor(context, options));
  const connection = await connect(context, options);
  const { files, mentions } = await prepare(paths, options, connection.output);
  if (options.visibility === "org") await requireOrganization(connection.session, "--visibility org");
  const labels = await resolveLabels(options, connection.session);
  const { tags } = labels;
  const resolved = { ...options, ...(labels.folder === undefined ? {} : { folder: labels.folder }) };
  const published = await publishFiles(files, resolved, connection);
  printPublished({ published, files, mentions }, options, connection.output);
  if (options.open && !openInBrowser(context, published.nameUrl ?? published.url)) {
    connection.output.note("No browser found to open the link.");
  }
  await addTags(published, tags, connection.session);
  if (!options.watch) return;
  const { republishOnChange } = await import("./watch.ts");
  await republishOnChange(paths, connection.output, files, {
    read: async () => (await prepare(paths, options, { ...connection.output, note: () => undefined })).files,
    publish: async (changed) =>
      printVersion(
        await publishFiles(changed, { ...resolved, message: undefined }, connection, false),
        options,
        connection.output,
      ),
  });
}

function requireWatchable(paths: readonly string[], { name }: PublishOptions): void {
  if (name === undefined) {
    throw new CommandError("--watch requires --name, so that each change becomes a new version.", EXIT_CODES.usage);
  }
  if (paths.length !== 1 || paths[0] === "-") {
    throw new CommandError("--watch works with a single directory or file.", EXIT_CODES.usage);
  }
}

interface Prepared {
  files: SourceFile[];
  /** What the user has been told to change by hand. */
  mentions: readonly Mention[];
}

/** Reads the files to publish, and flattens them if the options ask for it. */
async function prepare(paths: readonly string[], options: PublishOptions, output: Output): Promise<Prepared> {
  const { files, hidden } = await collectFiles(paths, options.flatten === true);
  if (!options.allowEmpty) requireContent(files, paths[0] === "-");
  if (hidden.length > 0) output.note(`Skipped ${counted(hidden.length, "hidden file")}: ${hidden.sort().join(", ")}`);
  if (!options.flatten) return { files, mentions: [] };
  const { flatten } = await import("./flatten.ts");
  const flattened = await flatten(files);
  if (flattened.summary !== undefined) output.note(flattened.summary);
  for (const note of flattened.notes.slice(0, MAX_NOTES)) output.note(wrapped(output, `Warning: ${note}`));
  if (flattened.notes.length > MAX_NOTES) output.note(`… and ${flattened.notes.length - MAX_NOTES} more.`);
  return flattened;
}

/** Throws `CommandError` if the page is blank, as after a command that failed and wrote nothing. */
function requireContent(files: readonly SourceFile[], isInput: boolean): void {
  const page = files.find(({ name }) => name === INDEX_FILE)?.bytes;
  if (page === undefined || new TextDecoder().decode(page).trim() !== "") return;
  const what = isInput ? "Standard input" : INDEX_FILE;
  throw new CommandError(`${what} is empty, so nothing was published. Pass --allow-empty to publish a blank page.`);
}

async function publishFiles(
  files: readonly SourceFile[],
  options: PublishOptions,
  { session, output }: Connection,
  showsProgress = output.isTerminal,
): Promise<Published> {
  const { name, title, message: note, folder, owner, storage } = options;
  const visibility = options.public ? "public" : options.visibility;
  const addresses = options.addresses?.join(",");
  const details = { name, title, note, folder, owner, visibility, storage, addresses };
  const { bytes: rawBody, contentType } = toForm(files, details);
  const sizes = files.map(({ name: path, bytes }) => ({ name: path, size: bytes.length }));
  checkTotal(sizes, rawBody.length);
  const { uploadRoute } = await loadRoutes.publish();
  const idempotencyKey = crypto.randomUUID();
  if (!showsProgress) return session.call(uploadRoute, { rawBody, contentType }, { idempotencyKey });
  const progress = createTransferProgress(output, "Uploading", rawBody.length);
  const sending = { idempotencyKey, onSent: progress.show };
  return session.call(uploadRoute, { rawBody, contentType }, sending).finally(progress.end);
}

function printPublished(
  { published, files, mentions }: Prepared & { published: Published },
  { json, watch }: PublishOptions,
  output: Output,
): void {
  // Of a reference that flattening left alone, the user knows already.
  const isKnown = (warning: string) =>
    mentions.some(({ file, old }) => warning.startsWith(`${file} line `) && warning.includes(`: "${old}" `));
  for (const warning of published.warnings.filter((one) => !isKnown(one))) {
    output.note(wrapped(output, `Warning: ${warning}`));
  }
  if (json) {
    output.out(JSON.stringify(published));
    return;
  }
  if (output.isTerminal) {
    const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    output.note(`Published ${counted(files.length, "file")} (${inUnits(size)}), ${published.visibility}.`);
    if (published.nameUrl !== undefined) output.note(`This version: ${published.url}`);
  }
  output.out(published.nameUrl ?? published.url);
  if (watch && output.isTerminal) output.note("Watching for changes. Press Ctrl-C to stop.");
}

function printVersion(published: Published, { json }: PublishOptions, output: Output): void {
  output.out(json ? JSON.stringify(published) : published.url);
}

/** Prints what would be published. Needs no server. */
async function tryOut(paths: readonly string[], options: PublishOptions, output: Output): Promise<void> {
  const { name, json } = options;
  const { files } = await prepare(paths, options, output);
  if (json) {
    output.out(JSON.stringify({ files: files.map(({ name: path, bytes }) => ({ path, size: bytes.length })) }));
    return;
  }
  for (const { name: path, bytes } of files) output.out(`${path}\t${inUnits(bytes.length)}`);
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const target = name === undefined ? "" : ` as ${name}`;
  output.note(`Dry run: ${counted(files.length, "file")} (${inUnits(size)}) would be published${target}.`);
}

/**
 * Finds or creates the tags, and finds the folder, before anything is sent, so that a problem with them leaves nothing
 * published. The server creates a missing folder along with the report.
 */
async function resolveLabels({ tag = [], folder, owner }: PublishOptions, session: Session) {
  if (tag.length === 0 && !folder) return { tags: undefined, folder };
  const { findFolder, findOrCreateTags, folderLabel, readTaxonomy } = await import("../client/labels.ts");
  const workspace = await ownerOf(session, owner);
  const taxonomy = folder ? await readTaxonomy(session, workspace) : undefined;
  const found = taxonomy && findFolder(taxonomy, folder ?? "");
  return {
    tags: tag.length === 0 ? undefined : await findOrCreateTags(session, workspace, tag),
    folder: taxonomy && found ? folderLabel(taxonomy, found) : folder,
  };
}

/** Adds tags to a report whose link is already printed. A failure does not undo the publish. */
async function addTags(
  { name, code }: Published,
  tags: readonly string[] | undefined,
  session: Session,
): Promise<void> {
  if (tags === undefined) return;
  try {
    const { tagItemsRoute } = await loadRoutes.items();
    const items = [name === undefined ? { code } : { name }];
    await session.call(tagItemsRoute, { body: { items, add: [...tags] } }, { isRepeatable: true });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`The report was published, but not tagged. ${error.message}`, error.exitCode);
  }
}
