import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { ItemDetailEntry } from "../client/routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { findCode, findItem, isSingleVersion, parseReference, type Reference, wordOf } from "./references.ts";
import type { Session } from "./session.ts";
import { counted, plain } from "./text.ts";

interface DeleteOptions extends ServerOptions {
  yes?: boolean;
}

export function deleteCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("delete")
      .description("Delete a report with all its versions, or a single version. vitrine trash restore restores it.")
      .argument("<name or code>", "name of a report, name@3 for its version 3 only, or the code of a version")
      .option("-y, --yes", "do not ask for confirmation"),
  );
  command.action((text: string, options: DeleteOptions) => remove(text, options, context));
  return withExamples(command, "vitrine delete weekly-sales", "vitrine delete weekly-sales@3 --yes");
}

async function remove(text: string, options: DeleteOptions, context: CliContext): Promise<void> {
  if (!options.yes && process.stdin.isTTY !== true) {
    throw new CommandError(`Pass --yes to delete ${text} without being asked.`, EXIT_CODES.usage);
  }
  const { session, output } = await connect(context, options);
  const reference = isSingleVersion(text) ? { code: await findCode(session, text) } : parseReference(text);
  const item = await findItem(session, wordOf(reference)).catch((error) => {
    // A token that may only delete can't read.
    if (options.yes) return undefined;
    throw error;
  });
  if (!options.yes && item !== undefined) await confirmDeletion(text, reference, item);
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
  if (!answer.deleted) throw new CommandError(`No report has the code ${reference.code}.`);
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

async function confirmDeletion(text: string, reference: Reference, item: ItemDetailEntry): Promise<void> {
  const what = "name" in reference ? counted(item.version_count, "version") : "1 version";
  const { confirm, isCancel } = await import("@clack/prompts");
  const message = `Delete ${text} ("${plain(item.title)}", ${what})?`;
  const answer = await confirm({ message, initialValue: false });
  if (isCancel(answer) || !answer) throw new CommandError("Cancelled. Nothing was deleted.");
}
