import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { nameOf, REPORT_HELP, requireName } from "./references.ts";

export function renameCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("rename")
      .description("Rename a report. Its live link changes with it; version links stay the same.")
      .argument("<report>", REPORT_HELP)
      .argument("<new name>", "new name"),
  );
  command.action(async (text: string, newName: string, options: ServerOptions) => {
    requireName(newName, "<new name>");
    const { session, output } = await connect(context, options);
    const name = await nameOf(session, text);
    const { renameRoute } = await loadRoutes.namedReports();
    const answer = await session.call(renameRoute, { body: { name, newName } });
    printResult(output, options, answer, `Renamed ${name} to ${answer.name}.`);
  });
  return withExamples(command, "vitrine rename weekly-sales sales");
}
