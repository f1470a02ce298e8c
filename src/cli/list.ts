import { Command } from "commander";
import { type FindOptions, find, withFindOptions } from "./finding.ts";
import { withExamples } from "./options.ts";
import type { Surroundings } from "./surroundings.ts";

export function listCommand(surroundings: Surroundings): Command {
  const command = withFindOptions(new Command("list").description("List reports, what was changed last first."));
  command.action((options: FindOptions) => find([], options, surroundings));
  return withExamples(
    command,
    "vitrine list",
    "vitrine list --folder Sales/2026 --tag weekly",
    "vitrine list --json | jq -r '.items[].url'",
  );
}
