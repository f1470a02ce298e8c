import { Command } from "commander";
import { JSON_OPTION } from "./administering.ts";
import { filled, withExamples } from "./options.ts";
import { CommandError, type Output } from "./output.ts";
import { readFlags, type SettingHelp, withSettingFlags } from "./serve.ts";
import { colored, counted } from "./text.ts";

/** What a check found. */
export interface Finding {
  state: "ok" | "warning" | "problem";
  /** What was checked, such as `database`. */
  part: string;
  detail: string;
  /** What to do about it. */
  advice?: string | undefined;
}

/** Checks an installation, and yields what each check found. */
export type Examine = (flags: Readonly<Record<string, string>>) => AsyncIterable<Finding>;

const COLORS = { ok: "green", warning: "cyan", problem: "red" } as const;

export function doctorCommand(settings: readonly SettingHelp[], examine: Examine, output: Output): Command {
  const command = new Command("doctor")
    .description("Check the settings, the data and the addresses of a server, and say what to do about problems.")
    .option(...JSON_OPTION)
    .addHelpText("after", filled(HELP));
  withSettingFlags(command, settings, { isHidden: true });
  command.action(async ({ json }: { json?: boolean }) => {
    const findings: Finding[] = [];
    for await (const finding of examine(readFlags(command, settings))) {
      findings.push(finding);
      if (!json) print(output, finding);
    }
    const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length;
    if (json) output.out(JSON.stringify({ findings }));
    else output.note(`\n${counted(count("problem"), "problem")}, ${counted(count("warning"), "warning")}.`);
    if (count("problem") > 0) throw new CommandError("Fix the problems above, then run vitrine doctor again.");
  });
  return withExamples(command, "vitrine doctor", "sudo -u vitrine vitrine doctor --data-dir /var/lib/vitrine");
}

const HELP = `
Run it as the server's user, with the options and environment variables of vitrine
serve. It works whether or not the server runs, and leaves nothing behind. It exits
with 1 if there is a problem.`;

function print(output: Output, { state, part, detail, advice }: Finding): void {
  output.out(`${colored(output, COLORS[state], state.padEnd(8))} ${part}: ${detail}`);
  if (advice !== undefined) output.out(`${" ".repeat(9)}${advice}`);
}
