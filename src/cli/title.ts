import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { REPORT_HELP, reportOf, wordOf } from "./references.ts";

interface TitleOptions extends ServerOptions {
  reset?: boolean;
}

export function titleCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("title")
      .description("Give a report a title, which it keeps when new versions are published.")
      .argument("<report>", REPORT_HELP)
      .argument("[title]", "new title")
      .option("--reset", "remove the title again, so that the report has the title of its current version"),
  );
  command.action((text: string, title: string | undefined, options: TitleOptions) =>
    setTitle(text, title, options, context),
  );
  return withExamples(command, "vitrine title weekly-sales 'Weekly sales'", "vitrine title weekly-sales --reset");
}

async function setTitle(
  text: string,
  title: string | undefined,
  options: TitleOptions,
  context: CliContext,
): Promise<void> {
  if ((title === undefined) !== (options.reset === true)) {
    throw new CommandError("Pass either a title or --reset.", EXIT_CODES.usage);
  }
  const { session, output } = await connect(context, options);
  const reference = await reportOf(session, text);
  const { setTitleRoute } = await loadRoutes.reportSettings();
  const body = { ...reference, title: title ?? null };
  const answer = await session.call(setTitleRoute, { body }, { isRepeatable: true });
  printResult(output, options, answer, `The title of ${wordOf(reference)} is now "${answer.title}".`);
}
