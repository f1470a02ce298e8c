import { Command } from "commander";
import type { CliContext } from "./cli-context.ts";
import { type FindOptions, find, withFindOptions } from "./finding.ts";
import { withExamples } from "./options.ts";

export function listCommand(context: CliContext): Command {
  const command = withFindOptions(
    new Command("list").alias("ls").description("List reports, most recently updated first."),
  );
  command.action((options: FindOptions) => find([], options, context));
  return withExamples(
    command,
    "vitrine list",
    "vitrine list --folder Sales/2026 --tag weekly",
    "vitrine list --sort title",
    "vitrine list --shared",
    "vitrine list --json | jq -r '.items[].url'",
  );
}
