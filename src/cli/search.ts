import { Command } from "commander";
import type { CliContext } from "./cli-context.ts";
import { type FindOptions, find, withFindOptions } from "./finding.ts";
import { withExamples } from "./options.ts";

export function searchCommand(context: CliContext): Command {
  const command = withFindOptions(
    new Command("search")
      .description("Search reports by name, title, code, folder, drawer and tag.")
      .argument("<words...>", "words or parts of words; a report must match all of them"),
  );
  command.action((words: string[], options: FindOptions) => find(words, options, context));
  return withExamples(command, "vitrine search weekly sales", "vitrine search sales --owner acme --limit 10");
}
