import { Command, Option } from "commander";
import type { ResponseOf } from "../client/lazy-routes.ts";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { uploadRoute } from "../client/routes.ts";
import { openInBrowser } from "./browser.ts";
import type { CliContext } from "./cli-context.ts";
import { type Connection, collect, connect, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { createTransferProgress } from "./progress.ts";
import { collectFiles, INDEX_FILE, type SourceFile } from "./report-files.ts";
import type { Session } from "./session.ts";
import { counted, inUnits } from "./text.ts";
import { toForm } from "./upload-body.ts";
import { checkLimits } from "./upload-limits.ts";

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
      "\nPublishing requires an access token with the scope reports:write, from VITRINE_TOKEN\nor vitrine login.",
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
  if (options.watch) requireWatchable(paths, options);
  const connection = await connect(context, options);
  const files = await prepare(paths, options, connection.output);
  if (options.dryRun) return printPlan(files, options, connection.output);
  await requireOrganization(options, connection.session);
  const tags = await resolveTags(options, connection.session);
  const published = await publishFiles(files, options, connection);
  printPublished(published, files, options, connection.output);
  if (options.open && !openInBrowser(context, published.nameUrl ?? published.url)) {
    connection.output.note("No browser found to open the link.");
  }
  await addTags(published, tags, connection.session);
  if (!options.watch) return;
  const { republishOnChange } = await import("./watch.ts");
  await republishOnChange(paths, connection.output, files, {
    read: () => prepare(paths, options, { ...connection.output, note: () => undefined }),
    publish: async (changed) =>
      printVersion(
        await publishFiles(changed, { ...options, message: undefined }, connection, false),
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

/** Reads the files to publish, and flattens them if the options ask for it. */
async function prepare(paths: readonly string[], options: PublishOptions, output: Output): Promise<SourceFile[]> {
  const { files, hidden } = await collectFiles(paths, options.flatten === true);
  if (!options.allowEmpty) requireContent(files, paths[0] === "-");
  if (hidden.length > 0) output.note(`Skipped ${counted(hidden.length, "hidden file")}: ${hidden.sort().join(", ")}`);
  checkLimits(
    files,
    files.map(({ name }) => name),
  );
  if (!options.flatten) return files;
  const { flatten } = await import("./flatten.ts");
  const flattened = await flatten(files);
  if (flattened.summary !== undefined) output.note(flattened.summary);
  for (const note of flattened.notes.slice(0, MAX_NOTES)) output.note(note);
  if (flattened.notes.length > MAX_NOTES) output.note(`… and ${flattened.notes.length - MAX_NOTES} more.`);
  return flattened.files;
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
  const { uploadRoute } = await loadRoutes.publish();
  const idempotencyKey = crypto.randomUUID();
  if (!showsProgress) return session.call(uploadRoute, { rawBody, contentType }, { idempotencyKey });
  const progress = createTransferProgress(output, "Uploading", rawBody.length);
  const sending = { idempotencyKey, onSent: progress.show };
  return session.call(uploadRoute, { rawBody, contentType }, sending).finally(progress.end);
}

function printPublished(
  published: Published,
  files: readonly SourceFile[],
  { json, watch }: PublishOptions,
  output: Output,
): void {
  for (const warning of published.warnings) output.note(`Warning: ${warning}`);
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

/** Prints what would be published. */
function printPlan(files: readonly SourceFile[], { name, json }: PublishOptions, output: Output): void {
  if (json) {
    output.out(JSON.stringify({ files: files.map(({ name: path, bytes }) => ({ path, size: bytes.length })) }));
    return;
  }
  for (const { name: path, bytes } of files) output.out(`${path}\t${inUnits(bytes.length)}`);
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const target = name === undefined ? "" : ` as the next version of ${name}`;
  output.note(`Dry run: ${counted(files.length, "file")} (${inUnits(size)}) would be published${target}.`);
}

/** Throws `CommandError` if a report is for an organization, but the user is in none. */
async function requireOrganization({ visibility }: PublishOptions, session: Session): Promise<void> {
  if (visibility !== "org") return;
  const { accountRoute } = await loadRoutes.account();
  const { workspaces } = await session.call(accountRoute);
  if (workspaces.some(({ kind }) => kind === "org")) return;
  throw new CommandError(
    "--visibility org requires an organization, and you're not a member of one. Use --visibility private or --public.",
    EXIT_CODES.usage,
  );
}

/** Finds or creates the tags before anything is sent, so that a problem with them leaves nothing published. */
async function resolveTags({ tag = [], owner }: PublishOptions, session: Session): Promise<string[] | undefined> {
  if (tag.length === 0) return undefined;
  const { findOrCreateTags } = await import("./cabinet-titles.ts");
  return findOrCreateTags(session, owner ?? (await readDefaultOwner(session)), tag);
}

/** Returns the workspace of the access token. */
async function readDefaultOwner(session: Session): Promise<string> {
  const { accountRoute } = await loadRoutes.account();
  const { workspace, user } = await session.call(accountRoute);
  return workspace ?? user.slug;
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
