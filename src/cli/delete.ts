import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { findCode, findItem, isSingleVersion, parseReference } from "./references.ts";
import type { Session } from "./session.ts";
import { counted, plain } from "./text.ts";

interface DeleteOptions extends ServerOptions {
  yes?: boolean;
}

export function deleteCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("delete")
      .description("Permanently delete a report with all its versions, or a single version.")
      .argument("<name or code>", "name of a report, name@3 for its version 3 only, or the code of a version")
      .option("-y, --yes", "do not ask for confirmation"),
  );
  command.action((text: string, options: DeleteOptions) => remove(text, options, context));
  return withExamples(command, "vitrine delete weekly-sales", "vitrine delete weekly-sales@3 --yes");
}

async function remove(text: string, options: DeleteOptions, context: CliContext): Promise<void> {
  if (!options.yes && process.stdin.isTTY !== true) {
    throw new CommandError(`Deletion is permanent. Pass --yes to delete ${text}.`, EXIT_CODES.usage);
  }
  const { session, output } = await connect(context, options);
  const reference = isSingleVersion(text) ? { code: await findCode(session, text) } : parseReference(text);
  if (!options.yes) await confirmDeletion(session, text, reference);
  if ("name" in reference) {
    const { deleteGroupRoute } = await loadRoutes.namedReports();
    const answer = await session.call(deleteGroupRoute, { body: reference });
    return printResult(output, options, answer, `Deleted ${text} (${counted(answer.deleted, "version")}).`);
  }
  const { deleteCodeRoute } = await loadRoutes.reports();
  const answer = await session.call(deleteCodeRoute, { body: reference });
  if (!answer.deleted) throw new CommandError(`No report has the code ${reference.code}.`);
  printResult(output, options, answer, `Deleted ${text}.`);
}

async function confirmDeletion(
  session: Session,
  text: string,
  reference: { name: string } | { code: string },
): Promise<void> {
  const item = await findItem(session, "name" in reference ? reference.name : reference.code);
  const what = "name" in reference ? counted(item.version_count, "version") : "1 version";
  const { confirm, isCancel } = await import("@clack/prompts");
  const message = `Permanently delete ${text} ("${plain(item.title)}", ${what})?`;
  const answer = await confirm({ message, initialValue: false });
  if (isCancel(answer) || !answer) throw new CommandError("Cancelled. Nothing was deleted.");
}
