import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { findVersion, nameOf } from "./references.ts";

export function setLatestCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("set-latest")
      .alias("rollback")
      .description(
        "Make a version current, for example to roll back. The next version published becomes current again.",
      )
      .argument("<name>", "name of the report, or a link to it")
      .argument("<version>", "number or code of the version"),
  );
  command.action((name: string, version: string, options: ServerOptions) => rollBack(name, version, options, context));
  return withExamples(command, "vitrine set-latest weekly-sales 3", "vitrine rollback weekly-sales 3");
}

async function rollBack(text: string, version: string, options: ServerOptions, context: CliContext) {
  const { session, output } = await connect(context, options);
  const name = await nameOf(session, text);
  const code = /^\d{1,9}$/.test(version) ? await findVersion(session, name, Number(version)) : version;
  const { setLatestRoute } = await loadRoutes.namedReports();
  const answer = await session.call(setLatestRoute, { body: { name, code } }, { isRepeatable: true });
  printResult(output, options, answer, `The current version of ${name} is now ${answer.current_code}.`);
}
