import { Command, Option } from "commander";
import type { BodyInput, ResponseOf } from "../client/lazy-routes.ts";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { uploadRoute } from "../client/routes.ts";
import { openInBrowser } from "./browser.ts";
import { begin, collect, type ServerOptions, type Work, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { createProgressBar, inUnits } from "./progress.ts";
import { collectFiles, type SourceFile } from "./report-files.ts";
import type { Session } from "./session.ts";
import type { Surroundings } from "./surroundings.ts";
import { counted } from "./text.ts";
import { toUploadFile } from "./upload-body.ts";

interface PublishOptions extends ServerOptions {
  name?: string;
  title?: string;
  folder?: string;
  tag?: string[];
  owner?: string;
  public?: boolean;
  visibility?: "public" | "private" | "org";
  storage?: "none" | "memory";
  flatten?: boolean;
  open?: boolean;
  watch?: boolean;
}

type Published = ResponseOf<typeof uploadRoute>;

/** Renamed files and adapted references that are told one by one. */
const MOST_NOTES = 20;

export function publishCommand(surroundings: Surroundings): Command {
  const command = new Command("publish")
    .description("Publish a report and print its link.")
    .argument("<path...>", "a directory with index.html, one HTML file, - for one on standard input, or files")
    .option("--name <name>", "publish as the next version of this group; its live link always shows the latest")
    .option("--title <title>", "title (default: the document's own)")
    .option("--folder <label>", "where to file a new report, as DRAWER/FOLDER or FOLDER")
    .option("--tag <title>", "attach this tag, which is made where it is missing; may be given several times", collect)
    .option("--owner <slug>", "workspace that it goes to (default: the token's)")
    .option("--public", "let anyone with the link read it (default: private)")
    .addOption(
      new Option("--visibility <who>", "who may read it").choices(["public", "private", "org"]).conflicts("public"),
    )
    .addOption(
      new Option(
        "--storage <kind>",
        "memory gives pages that need it a localStorage, which forgets when the page is left (default: none)",
      ).choices(["none", "memory"]),
    )
    .option("--flatten", "put files of directories beside index.html, and adapt references in HTML and CSS")
    .option("--open", "open the link in the browser")
    .option("--watch", "publish a new version whenever a file changes; needs --name");
  withServerOptions(command)
    .addHelpText(
      "after",
      "\nThe access token is that of VITRINE_TOKEN, or else of vitrine login; it needs the\nscope reports:write.",
    )
    .action((paths: string[], options: PublishOptions) => publish(paths, options, surroundings));
  return withExamples(
    command,
    "vitrine publish my-report/ --name weekly-sales --tag weekly --public",
    "vitrine publish report.html --title 'A single page'",
    "make-report | vitrine publish - --name nightly --quiet",
    "vitrine publish my-report/ --name weekly-sales --watch",
  );
}

async function publish(paths: readonly string[], options: PublishOptions, surroundings: Surroundings): Promise<void> {
  if (options.watch) checkWatched(paths, options);
  const work = await begin(surroundings, options);
  const files = await prepare(paths, options, work.output);
  const published = await publishFiles(files, options, work);
  tell(published, files, options, work.output);
  if (options.open && !openInBrowser(surroundings, published.nameUrl ?? published.url)) {
    work.output.note("There is no browser to open here.");
  }
  await tagAs(published, options.tag ?? [], work.session);
  if (!options.watch) return;
  const { republishOnChange } = await import("./watch.ts");
  await republishOnChange(paths, work.output, files, {
    read: () => prepare(paths, options, { ...work.output, note: () => undefined }),
    publish: async (changed) => tellVersion(await publishFiles(changed, options, work, false), options, work.output),
  });
}

function checkWatched(paths: readonly string[], { name }: PublishOptions): void {
  if (name === undefined) {
    throw new CommandError("--watch needs --name, so that each change becomes a version of it.", EXIT_CODES.usage);
  }
  if (paths.length !== 1 || paths[0] === "-") {
    throw new CommandError("--watch takes one directory or one file.", EXIT_CODES.usage);
  }
}

/** The files as they are going to be published. */
async function prepare(paths: readonly string[], options: PublishOptions, output: Output): Promise<SourceFile[]> {
  const { files, hidden } = await collectFiles(paths, options.flatten === true);
  if (hidden.length > 0) output.note(`Left out ${counted(hidden.length, "hidden file")}: ${hidden.sort().join(", ")}`);
  if (!options.flatten) return files;
  const { flatten } = await import("./flatten.ts");
  const flattened = await flatten(files);
  for (const note of flattened.notes.slice(0, MOST_NOTES)) output.note(note);
  if (flattened.notes.length > MOST_NOTES) output.note(`… and ${flattened.notes.length - MOST_NOTES} more of these.`);
  return flattened.files;
}

async function publishFiles(
  files: readonly SourceFile[],
  options: PublishOptions,
  { session, output }: Work,
  isShown = output.isTerminal,
): Promise<Published> {
  const { name, title, folder, owner, storage } = options;
  const visibility = options.public ? "public" : options.visibility;
  const upload: BodyInput<typeof uploadRoute> = {
    files: files.map(toUploadFile),
    name,
    title,
    folder,
    owner,
    visibility,
    storage,
  };
  const rawBody = new TextEncoder().encode(JSON.stringify(upload));
  const { uploadRoute } = await loadRoutes.publish();
  const idempotencyKey = crypto.randomUUID();
  if (!isShown) return session.call(uploadRoute, { rawBody }, { idempotencyKey });
  const bar = createProgressBar("Uploading", rawBody.length, output.draw);
  try {
    return await session.call(uploadRoute, { rawBody }, { idempotencyKey, onSent: bar.show });
  } finally {
    bar.clear();
  }
}

function tell(
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
  if (watch && output.isTerminal) output.note("Watching for changes; Ctrl-C ends.");
}

function tellVersion(published: Published, { json }: PublishOptions, output: Output): void {
  output.out(json ? JSON.stringify(published) : published.url);
}

/** The report is there by then, and its link printed; a tag that fails takes nothing of that back. */
async function tagAs({ name, code, owner }: Published, titles: readonly string[], session: Session): Promise<void> {
  if (titles.length === 0) return;
  const { findOrMakeTags } = await import("./cabinet-titles.ts");
  try {
    const add = await findOrMakeTags(session, owner, titles);
    const { tagItemsRoute } = await loadRoutes.items();
    const items = [name === undefined ? { code } : { name }];
    await session.call(tagItemsRoute, { body: { items, add } }, { isRepeatable: true });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`The report is published, but not tagged. ${error.message}`, error.exitCode);
  }
}
