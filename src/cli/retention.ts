import { Command, InvalidArgumentError } from "commander";
import { findFolder, findTag, noSuch, readTaxonomy } from "../client/labels.ts";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { RetentionPreviewView, RetentionRuleView } from "../client/routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, filled, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { ownerOf } from "./owners.ts";
import type { Session } from "./session.ts";
import { printTable } from "./table.ts";
import { counted, inUnits, shortTime } from "./text.ts";

interface PlaceOptions extends ServerOptions {
  owner?: string;
  folder?: string;
  tag?: string;
}

interface SetOptions extends PlaceOptions {
  keep?: number;
  days?: number;
  dryRun?: boolean;
}

const withPlaceOptions = (command: Command): Command =>
  withServerOptions(
    command
      .option("--owner <slug>", "workspace (default: that of the access token)")
      .option("--folder <label>", "only reports in this folder, such as Sales/2026")
      .option("--tag <title>", "only reports with this tag"),
  );

export function retentionCommand(context: CliContext): Command {
  return new Command("retention")
    .description("Set rules by which the server deletes old versions.")
    .addCommand(setCommand(context))
    .addCommand(showCommand(context))
    .addCommand(offCommand(context));
}

const SET_HELP = `
A version is kept if it is among the newest --keep or younger than --days. The
current version, protected versions and versions of protected reports are always
kept. Rules of a report's folder and tags replace the rule of the workspace. The
server applies rules every hour and moves the versions to the trash.`;

function setCommand(context: CliContext): Command {
  const command = withPlaceOptions(
    new Command("set")
      .description("Set the rule of a workspace, a folder or a tag.")
      .option("--keep <count>", "keep this many of a report's newest versions", parseCount)
      .option("--days <days>", "keep versions younger than this", parseCount)
      .option("--dry-run", "show which versions the rule would delete now, and change nothing")
      .addHelpText("after", filled(SET_HELP)),
  );
  command.action((options: SetOptions) => set(options, context));
  return withExamples(
    command,
    "vitrine retention set --keep 20 --days 90 --dry-run",
    "vitrine retention set --keep 5 --folder Nightly",
  );
}

function showCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("show")
      .description("Show the rules of a workspace.")
      .option("--owner <slug>", "workspace (default: that of the access token)"),
  );
  command.action((options: PlaceOptions) => show(options, context));
  return withExamples(command, "vitrine retention show");
}

function offCommand(context: CliContext): Command {
  const command = withPlaceOptions(
    new Command("off").description("Remove the rule of a workspace, a folder or a tag."),
  );
  command.action((options: PlaceOptions) => turnOff(options, context));
  return withExamples(command, "vitrine retention off", "vitrine retention off --folder Nightly");
}

function parseCount(value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It must be a positive number.");
}

async function set(options: SetOptions, context: CliContext): Promise<void> {
  const { keep, days, dryRun = false } = options;
  if (keep === undefined && days === undefined) {
    throw new CommandError("Pass --keep, --days or both.", EXIT_CODES.usage);
  }
  const { session, output } = await connect(context, options);
  const { place, label } = await findPlace(session, options);
  const { setRetentionRoute } = await loadRoutes.retention();
  const body = { ...place, keep: keep ?? null, days: days ?? null, dry_run: dryRun };
  const answer = await session.call(setRetentionRoute, { body }, { isRepeatable: true });
  const preview = answer.would_delete;
  if (preview === null || options.json)
    return printResult(output, options, answer, `Set the retention rule of ${label}.`);
  showPreview(output, preview);
}

function showPreview(output: Output, { entries, versions, reports, bytes }: RetentionPreviewView): void {
  if (versions === 0) {
    output.note("The rule would delete nothing now.");
    return;
  }
  printTable(
    output,
    ["VERSION", "TITLE", "SIZE", "PUBLISHED"],
    entries.map((entry) => [
      `${entry.name ?? entry.code}@${entry.version_no}`,
      entry.title,
      output.isOutTerminal ? inUnits(entry.size) : String(entry.size),
      output.isOutTerminal ? shortTime(entry.created_at) : entry.created_at,
    ]),
  );
  if (entries.length < versions) output.note(`Showing the first ${counted(entries.length, "version")}.`);
  output.note(
    `The rule would delete ${counted(versions, "version")} of ${counted(reports, "report")} (${inUnits(bytes)}) now.`,
  );
}

async function show(options: PlaceOptions, context: CliContext): Promise<void> {
  const { session, output } = await connect(context, options);
  const owner = await ownerOf(session, options.owner);
  const { retentionRoute } = await loadRoutes.retention();
  const answer = await session.call(retentionRoute, { query: { owner } });
  if (options.json) return output.out(JSON.stringify(answer));
  if (answer.rules.length === 0) return output.note(`${owner} has no retention rules. All versions are kept.`);
  printTable(
    output,
    ["FOR", "KEEP", "DAYS", "SET BY", "SET"],
    answer.rules.map((rule) => cellsOf(output, rule)),
  );
}

function cellsOf(output: Output, rule: RetentionRuleView): string[] {
  const kind = rule.folder_id === null ? (rule.tag_id === null ? "workspace" : "tag") : "folder";
  return [
    rule.title === null ? kind : `${kind} ${rule.title}`,
    rule.keep === null ? "-" : String(rule.keep),
    rule.days === null ? "-" : String(rule.days),
    rule.set_by?.slug ?? "-",
    output.isOutTerminal ? shortTime(rule.set_at) : rule.set_at,
  ];
}

async function turnOff(options: PlaceOptions, context: CliContext): Promise<void> {
  const { session, output } = await connect(context, options);
  const { place, label } = await findPlace(session, options);
  const { setRetentionRoute } = await loadRoutes.retention();
  const answer = await session.call(setRetentionRoute, { body: place }, { isRepeatable: true });
  printResult(output, options, answer, `Removed the retention rule of ${label}.`);
}

/** Returns what a rule is for, and how to call it. */
async function findPlace(session: Session, options: PlaceOptions) {
  const { folder, tag } = options;
  if (folder !== undefined && tag !== undefined) {
    throw new CommandError("Pass either --folder or --tag.", EXIT_CODES.usage);
  }
  const owner = await ownerOf(session, options.owner);
  if (folder === undefined && tag === undefined) return { place: { owner }, label: `workspace ${owner}` };
  const taxonomy = await readTaxonomy(session, owner);
  if (folder !== undefined) {
    const found = findFolder(taxonomy, folder);
    if (found === undefined) throw noSuch("folder", taxonomy, folder);
    return { place: { owner, folder_id: found.id }, label: `folder ${folder}` };
  }
  const found = findTag(taxonomy, tag ?? "");
  if (found === undefined) throw noSuch("tag", taxonomy, tag ?? "");
  return { place: { owner, tag_id: found.id }, label: `tag ${tag}` };
}
