import { Command } from "commander";
import { type FindOptions, find, withFindOptions } from "./finding.ts";
import { withExamples } from "./options.ts";
import type { Surroundings } from "./surroundings.ts";

export function searchCommand(surroundings: Surroundings): Command {
  const command = withFindOptions(
    new Command("search")
      .description("Find reports by parts of their names, titles, codes, folders or tags.")
      .argument("<words...>", "all of them have to be found"),
  );
  command.action((words: string[], options: FindOptions) => find(words, options, surroundings));
  return withExamples(command, "vitrine search weekly sales", "vitrine search sales --owner acme --limit 10");
}
