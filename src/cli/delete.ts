import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { ItemDetailEntry } from "../client/routes.ts";
import type { CliContext } from "./cli-context.ts";
import {
  type Connection,
  connect,
  filled,
  printResult,
  type ServerOptions,
  withExamples,
  withServerOptions,
} from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { findItem, REPORT_OR_VERSION_HELP, type Reference, referenceTo, wordOf } from "./references.ts";
import type { Session } from "./session.ts";
import { counted, plain } from "./text.ts";
import { forgetUndo, keepUndo } from "./undo.ts";

interface DeleteOptions extends ServerOptions {
  dryRun?: boolean;
  yes?: boolean;
}

export function deleteCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("delete")
      .alias("rm")
      .description("Delete reports with all their versions, or single versions. vitrine trash restore restores them.")
      .argument("<reports...>", REPORT_OR_VERSION_HELP)
      .option("--dry-run", "say what would be deleted, without deleting it")
      .option("-y, --yes", "do not ask for confirmation"),
  ).addHelpText("after", filled("Reports are deleted together, all or none. Versions are deleted one after another."));
  command.action((texts: string[], options: DeleteOptions) => removeAll(texts, options, context));
  return withExamples(
    command,
    "vitrine delete weekly-sales",
    "vitrine delete weekly-sales@3 --yes",
    "vitrine rm old-draft older-draft --dry-run",
  );
}

interface Target {
  text: string;
  reference: Reference;
  /** Undefined for a token that may only delete. */
  item: ItemDetailEntry | undefined;
}

/** Looks all reports up before it deletes any, so that a misspelled one deletes nothing. */
async function removeAll(texts: readonly string[], options: DeleteOptions, context: CliContext): Promise<void> {
  if (!options.yes && !options.dryRun && process.stdin.isTTY !== true) {
    throw new CommandError(`Pass --yes to delete ${texts.join(", ")} without being asked.`, EXIT_CODES.usage);
  }
  const connection = await connect(context, options);
  // Deleting a single report also says whether it exists, and a token that may only delete can't read.
  const mustRead = !options.yes || options.dryRun === true || texts.length > 1;
  const targets: Target[] = [];
  for (const text of new Set(texts)) targets.push(await findTarget(connection.session, text, mustRead));
  if (options.dryRun) return printPlan(targets, options, connection);
  if (!options.yes) await confirmDeletion(targets);
  const names = targets.flatMap(({ reference }) => ("name" in reference ? [reference] : []));
  if (names.length > 1) await removeTogether(names, options, connection);
  const others = names.length > 1 ? targets.filter(({ reference }) => "code" in reference) : targets;
  for (const target of others) await remove(target, options, connection);
  if (names.length <= 1) await forgetUndo(context);
}

async function removeTogether(items: readonly { name: string }[], options: DeleteOptions, connection: Connection) {
  const { session, output } = connection;
  const { deleteItemsRoute } = await loadRoutes.items();
  const answer = await session.call(deleteItemsRoute, { body: { items: [...items] } });
  const what = `Deleted ${counted(answer.deleted, "report")}`;
  const bodies = answer.undo === null ? [] : [{ undo: answer.undo.id }];
  const hint = await keepUndo(connection, { call: "restore", bodies, what });
  printResult(output, options, answer, `${what}.${hint}`);
}

async function findTarget(session: Session, text: string, mustRead: boolean): Promise<Target> {
  const reference = await referenceTo(session, text);
  const item = await findItem(session, wordOf(reference)).catch((error) => {
    if (mustRead) throw error;
    return undefined;
  });
  return { text, reference, item };
}

function printPlan(targets: readonly Target[], { json }: DeleteOptions, { output }: Connection): void {
  for (const target of targets) {
    output.out(json ? JSON.stringify({ ...target.reference, versions: versionsOf(target) }) : describe(target));
  }
  output.note("Dry run: nothing was deleted.");
}

const versionsOf = ({ reference, item }: Target): number => ("name" in reference ? (item?.version_count ?? 0) : 1);

const describe = (target: Target): string =>
  `${target.text} ("${plain(target.item?.title ?? "")}", ${counted(versionsOf(target), "version")})`;

async function remove({ text, reference, item }: Target, options: DeleteOptions, { session, output }: Connection) {
  const whereItIs = () => (options.json || options.quiet ? "" : describeTrash(session, text, item?.owner_slug));
  if ("name" in reference) {
    const { deleteGroupRoute } = await loadRoutes.namedReports();
    const answer = await session.call(deleteGroupRoute, { body: reference });
    return printResult(
      output,
      options,
      answer,
      `Deleted ${text} (${counted(answer.deleted, "version")}).${await whereItIs()}`,
    );
  }
  const { deleteCodeRoute } = await loadRoutes.reports();
  const answer = await session.call(deleteCodeRoute, { body: reference });
  if (!answer.deleted)
    throw new CommandError(`No report has the code ${reference.code}. Check the code and that you have access.`);
  printResult(output, options, answer, `Deleted ${text}.${await whereItIs()}`);
}

/** Returns a sentence about how to restore what was deleted, if the server has a trash. */
async function describeTrash(session: Session, text: string, owner: string | undefined): Promise<string> {
  if (owner === undefined) return "";
  const { trashRoute } = await loadRoutes.trash();
  const trash = await session.call(trashRoute, { query: { owner, limit: 1 } }).catch(() => undefined);
  if (trash === undefined || trash.days === 0) return "";
  return ` It stays in the trash for ${counted(trash.days, "day")}. To restore it, run: vitrine trash restore ${text}`;
}

async function confirmDeletion(targets: readonly Target[]): Promise<void> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const [first] = targets;
  if (first === undefined) return;
  const others = targets.length > 1 ? `${targets.length} reports: ${targets.map(({ text }) => text).join(", ")}` : "";
  const message = `Delete ${others || describe(first)}?`;
  const answer = await confirm({ message, initialValue: false });
  if (isCancel(answer) || !answer) throw new CommandError("Cancelled. Nothing was deleted.");
}
