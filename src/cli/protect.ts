import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { findCode, isSingleVersion, parseReference } from "./references.ts";

export function protectCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("protect")
      .description("Protect a report or one of its versions from deletion.")
      .argument("<name or code>", "name of a report, name@3 for its version 3 only, or the code of a version"),
  );
  command.action((text: string, options: ServerOptions) => setProtection(text, true, options, context));
  return withExamples(command, "vitrine protect weekly-sales", "vitrine protect weekly-sales@3");
}

export function unprotectCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("unprotect")
      .description("Let a protected report or version be deleted again.")
      .argument("<name or code>", "name of a report, name@3 for its version 3 only, or the code of a version"),
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
  const reference = isSingleVersion(text) ? { code: await findCode(session, text) } : parseReference(text);
  const { protectRoute } = await loadRoutes.trash();
  const body = { ...reference, protected: isProtected };
  const answer = await session.call(protectRoute, { body }, { isRepeatable: true });
  printResult(output, options, answer, `${text} is ${isProtected ? "now" : "no longer"} protected from deletion.`);
}
