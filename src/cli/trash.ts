import { Command, InvalidArgumentError } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import { parseReferenceText } from "../client/references.ts";
import type { TrashEntryView } from "../client/routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { ownersOf } from "./owners.ts";
import { parseReference, requireName } from "./references.ts";
import type { Session } from "./session.ts";
import { printTable } from "./table.ts";
import { counted, inUnits, shortTime } from "./text.ts";

interface TrashOptions extends ServerOptions {
  owner?: string;
}

const LIMIT = 50;
/** The largest page that the server returns. */
const PAGE = 200;

const withTrashOptions = (command: Command): Command =>
  withServerOptions(
    command.option("--owner <slug>", "only the trash of this workspace (default: all of your workspaces)"),
  );

export function trashCommand(context: CliContext): Command {
  return new Command("trash")
    .description("List, restore and purge deleted reports and versions.")
    .addCommand(listCommand(context))
    .addCommand(restoreCommand(context))
    .addCommand(purgeCommand(context));
}

function listCommand(context: CliContext): Command {
  const command = withTrashOptions(
    new Command("list")
      .description("List deleted reports and versions that you can restore, most recently deleted first.")
      .option("--limit <count>", "maximum number of entries per workspace", parseCount, LIMIT),
  );
  command.action((options: TrashOptions & { limit: number }) => list(options, context));
  return withExamples(command, "vitrine trash list", "vitrine trash list --owner acme --json");
}

function parseCount(value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It must be a positive number.");
}

async function list(options: TrashOptions & { limit: number }, context: CliContext): Promise<void> {
  const { session, output } = await connect(context, options);
  const entries: (TrashEntryView & { owner: string })[] = [];
  for (const owner of await ownersOf(session, options.owner)) {
    const found = await findEntries(session, owner, {}, options.limit);
    entries.push(...found.map((entry) => ({ ...entry, owner })));
  }
  if (options.json) return output.out(JSON.stringify({ entries }));
  if (entries.length === 0) return output.note("The trash is empty.");
  show(output, entries);
}

function show(output: Output, entries: readonly (TrashEntryView & { owner: string })[]): void {
  const time = (instant: string) => (output.isOutTerminal ? shortTime(instant) : instant);
  printTable(
    output,
    ["REPORT", "TITLE", "SIZE", "DELETED", "BY", "EXPIRES", "OWNER", "ID"],
    entries.map((entry) => [
      describe(entry),
      entry.title,
      output.isOutTerminal ? inUnits(entry.size) : String(entry.size),
      time(entry.deleted_at),
      entry.reason === "retention" ? "retention rule" : (entry.deleted_by?.slug ?? "-"),
      time(entry.expires_at),
      entry.owner,
      entry.id,
    ]),
  );
}

const describe = ({ name, code, version_no: versionNo }: TrashEntryView): string =>
  versionNo === null || name === null ? (name ?? code) : `${name}@${versionNo}`;

function restoreCommand(context: CliContext): Command {
  const command = withTrashOptions(
    new Command("restore")
      .description("Restore deleted reports or versions. If one fails, none is restored.")
      .argument("<what...>", "name of a report, name@3 for its version 3, a code, or an ID from vitrine trash list")
      .option("--as <name>", "restore the report under this name"),
  );
  command.action((texts: string[], options: TrashOptions & { as?: string }) => restore(texts, options, context));
  return withExamples(
    command,
    "vitrine trash restore weekly-sales",
    "vitrine trash restore weekly-sales --as weekly-sales-2025",
    "vitrine trash restore weekly-sales@3 monthly-sales",
  );
}

async function restore(texts: string[], options: TrashOptions & { as?: string }, context: CliContext): Promise<void> {
  if (options.as !== undefined && texts.length > 1) throw usage("Pass one report with --as.");
  if (options.as !== undefined) requireName(options.as, "--as");
  const { session, output } = await connect(context, options);
  const ids: string[] = [];
  for (const text of texts) ids.push(await findId(session, text, options));
  const { restoreTrashRoute } = await loadRoutes.trash();
  const body = { ids, ...(options.as === undefined ? {} : { name: options.as }) };
  const answer = await session.call(restoreTrashRoute, { body });
  const names = texts.map((text, position) => {
    const restored = answer.restored.find(({ id }) => id === ids[position]);
    return restored?.kind === "report" ? (restored.name ?? restored.code) : text;
  });
  printResult(output, options, answer, `Restored ${names.join(", ")}.`);
}

function purgeCommand(context: CliContext): Command {
  const command = withTrashOptions(
    new Command("purge")
      .description("Permanently delete what is in the trash.")
      .argument("[what...]", "names, name@3, codes, or IDs from vitrine trash list")
      .option("--all", "everything in the trash of a workspace (requires --owner)")
      .option("-y, --yes", "do not ask for confirmation"),
  );
  command.action((texts: string[], options: PurgeOptions) => purge(texts, options, context));
  return withExamples(command, "vitrine trash purge weekly-sales", "vitrine trash purge --all --owner ada --yes");
}

interface PurgeOptions extends TrashOptions {
  all?: boolean;
  yes?: boolean;
}

async function purge(texts: readonly string[], options: PurgeOptions, context: CliContext): Promise<void> {
  const { all = false, owner, yes = false } = options;
  if (all === texts.length > 0) throw usage("Pass either what to purge or --all.");
  if (all && owner === undefined) throw usage("--all needs the workspace. Pass --owner.");
  const what = all ? `everything in the trash of ${owner}` : texts.join(", ");
  if (!yes && process.stdin.isTTY !== true) throw usage(`This can't be undone. Pass --yes to purge ${what}.`);
  const { session, output } = await connect(context, options);
  const ids: string[] = [];
  for (const text of texts) ids.push(await findId(session, text, options));
  if (!yes) await confirmPurge(what);
  const { purgeTrashRoute } = await loadRoutes.trash();
  const answer = await session.call(purgeTrashRoute, { body: all ? { owner } : { ids } });
  printResult(output, options, answer, `Permanently deleted ${counted(answer.purged, "entry", "entries")}.`);
}

async function confirmPurge(what: string): Promise<void> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message: `Permanently delete ${what}?`, initialValue: false });
  if (isCancel(answer) || !answer) throw new CommandError("Cancelled. Nothing was deleted.");
}

const usage = (message: string) => new CommandError(message, EXIT_CODES.usage);

async function findEntries(
  session: Session,
  owner: string,
  filter: { name?: string; code?: string },
  limit: number,
): Promise<TrashEntryView[]> {
  const { trashRoute } = await loadRoutes.trash();
  const entries: TrashEntryView[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = { owner, ...filter, limit: Math.min(limit - entries.length, PAGE), ...(cursor ? { cursor } : {}) };
    const page: { entries: TrashEntryView[]; next_cursor: string | null } = await session.call(trashRoute, { query });
    entries.push(...page.entries);
    if (page.next_cursor === null || entries.length >= limit) return entries;
    cursor = page.next_cursor;
  }
}

/** Returns the ID of the entry that the text means, the last deleted one if there are several. */
async function findId(session: Session, text: string, options: TrashOptions): Promise<string> {
  if (text.startsWith("trs_")) return text;
  const number = parseReferenceText(text).versionNo;
  const reference = parseReference(text);
  const isMeant = ({ kind, version_no: versionNo }: TrashEntryView) =>
    number === undefined ? "code" in reference || kind === "report" : versionNo === number;
  const found: TrashEntryView[] = [];
  for (const owner of await ownersOf(session, options.owner)) {
    found.push(...(await findEntries(session, owner, reference, Number.POSITIVE_INFINITY)).filter(isMeant));
  }
  const [latest] = found.toSorted((one, other) => (one.deleted_at < other.deleted_at ? 1 : -1));
  if (latest !== undefined) return latest.id;
  throw new CommandError(`${text} isn't in the trash. Run vitrine trash list to see what is.`);
}
