import { Argument, Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { REPORT_OR_VERSION_HELP, referenceTo } from "./references.ts";

export function visibilityCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("visibility")
      .description(
        "Make a report or one of its versions public or private. vitrine share --org lets an organization read it.",
      )
      .argument("<report>", REPORT_OR_VERSION_HELP)
      .addArgument(new Argument("<visibility>", "who can read it").choices(["public", "private"])),
  );
  command.action((text: string, visibility: "public" | "private", options: ServerOptions) =>
    setVisibility(text, visibility, options, context),
  );
  return withExamples(command, "vitrine visibility weekly-sales public", "vitrine visibility weekly-sales@2 private");
}

async function setVisibility(
  text: string,
  visibility: "public" | "private",
  options: ServerOptions,
  context: CliContext,
): Promise<void> {
  const { session, output } = await connect(context, options);
  const reference = await referenceTo(session, text);
  const { setVisibilityRoute } = await loadRoutes.visibility();
  const body = { ...reference, visibility };
  const answer = await session.call(setVisibilityRoute, { body }, { isRepeatable: true });
  printResult(output, options, answer, `${text} is now ${answer.visibility}.`);
}
