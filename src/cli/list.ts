import { Command } from "commander";
import { type FindOptions, find, withFindOptions } from "./finding.ts";
import { withExample } from "./options.ts";
import type { Surroundings } from "./surroundings.ts";

export function listCommand(surroundings: Surroundings): Command {
  const command = withFindOptions(new Command("list").description("List reports, what was changed last first."));
  command.action((options: FindOptions) => find([], options, surroundings));
  return withExample(command, "vitrine list --folder Sales/2026 --tag weekly");
}
