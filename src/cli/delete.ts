import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import { begin, report, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { findCode, findItem, isOfOneVersion, parseReference } from "./references.ts";
import type { Session } from "./session.ts";
import type { Surroundings } from "./surroundings.ts";
import { counted, plain } from "./text.ts";

interface DeleteOptions extends ServerOptions {
  yes?: boolean;
}

export function deleteCommand(surroundings: Surroundings): Command {
  const command = withServerOptions(
    new Command("delete")
      .description("Delete a group with all its versions, or by its code one version or report; for good.")
      .argument("<name or code>", "a name, name@3 for its third version alone, or a code")
      .option("-y, --yes", "do not ask"),
  );
  command.action((text: string, options: DeleteOptions) => remove(text, options, surroundings));
  return withExamples(command, "vitrine delete weekly-sales", "vitrine delete weekly-sales@3 --yes");
}

async function remove(text: string, options: DeleteOptions, surroundings: Surroundings): Promise<void> {
  if (!options.yes && process.stdin.isTTY !== true) {
    throw new CommandError(`Deleting is for good. Say --yes to delete ${text}.`, EXIT_CODES.usage);
  }
  const { session, output } = await begin(surroundings, options);
  const reference = isOfOneVersion(text) ? { code: await findCode(session, text) } : parseReference(text);
  if (!options.yes) await ask(session, text, reference);
  if ("name" in reference) {
    const { deleteGroupRoute } = await loadRoutes.groups();
    const answer = await session.call(deleteGroupRoute, { body: reference });
    return report(output, options, answer, `Deleted ${text} with ${counted(answer.deleted, "version")}.`);
  }
  const { deleteCodeRoute } = await loadRoutes.reports();
  const answer = await session.call(deleteCodeRoute, { body: reference });
  if (!answer.deleted) throw new CommandError(`There is no report ${reference.code}.`);
  report(output, options, answer, `Deleted ${text}.`);
}

async function ask(session: Session, text: string, reference: { name: string } | { code: string }): Promise<void> {
  const item = await findItem(session, "name" in reference ? reference.name : reference.code);
  const what = "name" in reference ? counted(item.version_count, "version") : "this one version";
  const { confirm, isCancel } = await import("@clack/prompts");
  const message = `Delete ${text} ("${plain(item.title)}", ${what}) for good?`;
  const answer = await confirm({ message, initialValue: false });
  if (isCancel(answer) || !answer) throw new CommandError("Cancelled; nothing was deleted.");
}
