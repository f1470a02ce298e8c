import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { REPORT_OR_VERSION_HELP, referenceTo } from "./references.ts";

export function protectCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("protect")
      .description("Protect a report or one of its versions from deletion.")
      .argument("<report>", REPORT_OR_VERSION_HELP),
  );
  command.action((text: string, options: ServerOptions) => setProtection(text, true, options, context));
  return withExamples(command, "vitrine protect weekly-sales", "vitrine protect weekly-sales@3");
}

export function unprotectCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("unprotect")
      .description("Let a protected report or version be deleted again.")
      .argument("<report>", REPORT_OR_VERSION_HELP),
  );
  command.action((text: string, options: ServerOptions) => setProtection(text, false, options, context));
  return withExamples(command, "vitrine unprotect weekly-sales");
}

async function setProtection(
  text: string,
  isProtected: boolean,
  options: ServerOptions,
  context: CliContext,
): Promise<void> {
  const { session, output } = await connect(context, options);
  const reference = await referenceTo(session, text);
  const { protectRoute } = await loadRoutes.trash();
  const body = { ...reference, protected: isProtected };
  const answer = await session.call(protectRoute, { body }, { isRepeatable: true });
  printResult(output, options, answer, `${text} is ${isProtected ? "now" : "no longer"} protected from deletion.`);
}
