import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import { begin, report, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import type { Surroundings } from "./surroundings.ts";

export function renameCommand(surroundings: Surroundings): Command {
  const command = withServerOptions(
    new Command("rename")
      .description("Rename a group; links to single versions stay as they are.")
      .argument("<name>", "the group's name")
      .argument("<new name>", "its new name"),
  );
  command.action(async (name: string, newName: string, options: ServerOptions) => {
    const { session, output } = await begin(surroundings, options);
    const { renameRoute } = await loadRoutes.groups();
    const answer = await session.call(renameRoute, { body: { name, newName } });
    report(output, options, answer, `${name} is now ${answer.name}.`);
  });
  return withExamples(command, "vitrine rename weekly-sales sales");
}
