import { Argument, Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { findCode, isSingleVersion, parseReference, wordOf } from "./references.ts";

export function visibilityCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("visibility")
      .description("Make a report or one of its versions public or private.")
      .argument("<name or code>", "name of a report, name@3 for its version 3 only, or the code of a version")
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
  const reference = isSingleVersion(text) ? { code: await findCode(session, text) } : parseReference(text);
  const { setVisibilityRoute } = await loadRoutes.visibility();
  const body = { ...reference, visibility };
  const answer = await session.call(setVisibilityRoute, { body }, { isRepeatable: true });
  printResult(output, options, answer, `${wordOf(reference)} is now ${answer.visibility}.`);
}
