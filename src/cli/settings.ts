import { Command } from "commander";
import { JSON_OPTION } from "./administering.ts";
import { filled, withExamples } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { readFlags, type SettingHelp, withSettingFlags } from "./serve.ts";
import { printTable } from "./table.ts";

/** A setting with its effective value, without secrets. */
export interface DescribedSetting {
  name: string;
  value: string;
  source: "flag" | "environment" | "default";
}

/** Returns all settings, what is wrong with them, and warnings. */
export type DescribeSettings = (flags: Readonly<Record<string, string>>) => Promise<{
  settings: readonly DescribedSetting[];
  /** Undefined if a server can start with them. */
  problem: string | undefined;
  warnings: readonly string[];
}>;

export function settingsCommand(settings: readonly SettingHelp[], describe: DescribeSettings, output: Output): Command {
  const command = new Command("settings")
    .description(
      "Show the settings that a server would start with here, and where each comes from. Secrets are hidden.",
    )
    .option(...JSON_OPTION)
    .addHelpText("after", filled("It takes the options and environment variables of vitrine serve."));
  withSettingFlags(command, settings, { isHidden: true });
  command.action(async ({ json }: { json?: boolean }) => {
    const described = await describe(readFlags(command, settings));
    if (json) output.out(JSON.stringify({ ...described, problem: described.problem ?? null }));
    else {
      const rows = described.settings.map(({ name, value, source }) => [name, value, source]);
      printTable(output, ["SETTING", "VALUE", "SOURCE"], rows);
    }
    for (const warning of described.warnings) output.note(`vitrine: ${warning}`);
    if (described.problem !== undefined) throw new CommandError(described.problem, EXIT_CODES.usage);
  });
  return withExamples(command, "vitrine settings", "vitrine settings --port 80", "vitrine settings --json");
}
