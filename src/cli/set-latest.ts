import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { findCode, findVersion, isSingleVersion, nameOf } from "./references.ts";
import type { Session } from "./session.ts";

export function setLatestCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("set-latest")
      .alias("rollback")
      .description(
        "Make a version current, for example to roll back. The next version that you publish becomes current.",
      )
      .argument("<name>", "name of the report, or a link to it; name@3 or a code without another argument")
      .argument("[version]", "number or code of the version"),
  );
  command.action((name: string, version: string | undefined, options: ServerOptions) =>
    rollBack(name, version, options, context),
  );
  return withExamples(command, "vitrine set-latest weekly-sales 3", "vitrine rollback weekly-sales@3");
}

async function rollBack(text: string, version: string | undefined, options: ServerOptions, context: CliContext) {
  if (version === undefined && !isSingleVersion(text)) {
    throw new CommandError(`Pass the version, such as ${text}@3 or its code.`, EXIT_CODES.usage);
  }
  const { session, output } = await connect(context, options);
  const name = await nameOf(session, text);
  const code = await codeOf(session, text, name, version);
  const { setLatestRoute } = await loadRoutes.namedReports();
  const answer = await session.call(setLatestRoute, { body: { name, code } }, { isRepeatable: true });
  printResult(output, options, answer, `The current version of ${name} is now ${answer.current_code}.`);
}

async function codeOf(session: Session, text: string, name: string, version: string | undefined): Promise<string> {
  if (version === undefined) return findCode(session, text);
  return /^\d{1,9}$/.test(version) ? findVersion(session, name, Number(version)) : version;
}
