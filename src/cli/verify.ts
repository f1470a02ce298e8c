import { Command } from "commander";
import { type Backups, observe } from "./backup.ts";
import { filled, withDataHelp } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { counted, inUnits } from "./text.ts";

interface VerifyOptions {
  backup: string;
  sample?: string;
  json?: boolean;
}

export function verifyCommand(backups: Backups, output: Output): Command {
  const command = new Command("verify")
    .description("Check an installation or a backup: all files, references, quotas, versions and the search index.")
    .argument("[source]", "the target of vitrine backup (default: the installation that the settings name)")
    .option("--backup <id>", "the backup to check", "latest")
    .option(
      "--sample <share>",
      "compare the bytes of this share of the files, such as 1%, chosen at random; of all others, the size",
      "100%",
    )
    .option("--json", "print the result as JSON")
    .addHelpText("after", filled("Prints every problem. Exits with 1 if there are any."))
    .action((source: string | undefined, options: VerifyOptions) => verify(source, options, backups, output));
  return withDataHelp(command, "vitrine verify --sample 1%", "vitrine verify /mnt/backups/vitrine");
}

async function verify(
  source: string | undefined,
  { backup, sample, json }: VerifyOptions,
  backups: Backups,
  output: Output,
): Promise<void> {
  const share = readShare(sample ?? "100%");
  const { observer, end } = observe(output, "Checking files");
  const problems: { part: string; message: string }[] = [];
  const report = (problem: { part: string; message: string }) => {
    problems.push(problem);
    if (!json) observer.note(`${problem.part}: ${problem.message}`);
  };
  const checked = await backups.verify({ source, backup, share }, { ...observer, report }).finally(end);
  const { objects, bytes } = checked;
  if (json) output.out(JSON.stringify({ ...checked, problems }));
  else if (problems.length === 0) {
    const what = checked.backup === null ? "The installation" : `The backup ${checked.backup}`;
    output.note(`${what} has no problems. Compared ${counted(objects, "object")}, ${inUnits(bytes)}.`);
  }
  if (problems.length > 0) throw new CommandError(`Found ${counted(problems.length, "problem")}.`);
}

function readShare(text: string): number {
  const percent = /^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(text)?.[1];
  const share = Number(percent) / 100;
  if (percent !== undefined && share > 0 && share <= 1) return share;
  throw new CommandError(`--sample must be a share such as 1% or 0.5%, not "${text}".`, EXIT_CODES.usage);
}
