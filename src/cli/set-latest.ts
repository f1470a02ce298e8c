import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import { parseReferenceText } from "../client/references.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { findCode, findVersion, isSingleVersion, nameOf } from "./references.ts";

export function setLatestCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("set-latest")
      .alias("rollback")
      .description(
        "Make a version current, for example to roll back. The next version that you publish becomes current.",
      )
      .argument("<report>", "name, code or link of a report; name@3, a code or a version link if you omit the version")
      .argument("[version]", "number, code or link of the version"),
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
  const number = version === undefined ? parseReferenceText(text).versionNo : numberIn(version);
  const code = await (number === undefined ? findCode(session, version ?? text) : findVersion(session, name, number));
  const { setLatestRoute } = await loadRoutes.namedReports();
  const answer = await session.call(setLatestRoute, { body: { name, code } }, { isRepeatable: true });
  const current = number === undefined ? answer.current_code : `${number} (${answer.current_code})`;
  printResult(output, options, answer, `The current version of ${name} is now ${current}.`);
}

const numberIn = (version: string): number | undefined => (/^\d{1,9}$/.test(version) ? Number(version) : undefined);
