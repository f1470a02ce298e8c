import { Command } from "commander";
import type { CliContext } from "./cli-context.ts";
import { type Connection, connect, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { findCode, findPreviousCode, VERSION_HELP } from "./references.ts";
import { printTable } from "./table.ts";
import { colored, counted, inUnits } from "./text.ts";
import { type ComparedFile, compareVersions } from "./version-comparison.ts";

interface DiffOptions extends ServerOptions {
  file?: string;
  stat?: boolean;
  text?: boolean;
  exitCode?: boolean;
}

export function diffCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("diff")
      .description("Compare all files of two versions, as a unified diff.")
      .argument("<a>", VERSION_HELP)
      .argument("[b]", "what to compare it with, in the same form (default: compare a with the version before it)")
      .option("--file <name>", "compare only this file")
      .option("--stat", "list the files that differ, with the number of lines added and removed")
      .option("--text", "compare the visible text of HTML pages, not their markup")
      .option("--exit-code", "exit with 1 if there are differences"),
  );
  command.action((a: string, b: string | undefined, options: DiffOptions) => diff(a, b, options, context));
  return withExamples(
    command,
    "vitrine diff weekly-sales",
    "vitrine diff weekly-sales@2 weekly-sales --stat",
    "vitrine diff weekly-sales --file data.json",
    "vitrine diff weekly-sales --text",
    "vitrine diff weekly-sales --exit-code --quiet || echo changed",
  );
}

async function diff(a: string, b: string | undefined, options: DiffOptions, context: CliContext): Promise<void> {
  const connection = await connect(context, options);
  const { session } = connection;
  const sides =
    b === undefined
      ? { ...(await findPreviousCode(session, a)), newLabel: a }
      : { oldCode: await findCode(session, a), oldLabel: a, newCode: await findCode(session, b), newLabel: b };
  const files = await compareVersions(session, { ...sides, file: options.file, asText: options.text === true });
  const differing = files.filter(({ status }) => status !== "same");
  print(differing, { from: sides.oldCode, to: sides.newCode }, options, connection);
  if (options.exitCode && differing.length > 0) throw new CommandError("", EXIT_CODES.failed);
}

function print(
  files: readonly ComparedFile[],
  codes: { from: string; to: string },
  { json, stat, quiet, exitCode }: DiffOptions,
  { output }: Connection,
): void {
  if (json) output.out(JSON.stringify({ ...codes, files: files.map(toJson) }));
  else if (files.length === 0) output.note("No differences.");
  else if (quiet && exitCode) return;
  else if (stat) printStat(files, output);
  else for (const line of files.flatMap(({ lines }) => lines)) output.out(forDisplay(output, line));
}

const toJson = ({ path, status, oldSize, newSize, addedLines, removedLines }: ComparedFile) => ({
  path,
  status,
  old_size: oldSize,
  new_size: newSize,
  added_lines: addedLines,
  removed_lines: removedLines,
});

function printStat(files: readonly ComparedFile[], output: Output): void {
  const rows = files.map(({ path, status, oldSize, newSize, addedLines, removedLines }) => [
    status,
    path,
    oldSize === null ? "" : inUnits(oldSize),
    newSize === null ? "" : inUnits(newSize),
    ...(addedLines === null ? ["", ""] : [`+${addedLines}`, `-${removedLines}`]),
  ]);
  printTable(output, ["CHANGE", "FILE", "OLD", "NEW", "ADDED", "REMOVED"], rows);
  const sum = (of: (file: ComparedFile) => number | null) => files.reduce((total, file) => total + (of(file) ?? 0), 0);
  const [added, removed] = [sum((file) => file.addedLines), sum((file) => file.removedLines)];
  const verb = files.length === 1 ? "differs" : "differ";
  output.note(
    `${counted(files.length, "file")} ${verb}: ${counted(added, "line")} added, ${counted(removed, "line")} removed.`,
  );
}

/** Colors a line and removes control characters, but only for a terminal. */
function forDisplay(output: Output, line: string): string {
  if (!output.isOutTerminal) return line;
  const harmless = line.replace(/(?!\t)\p{Cc}/gu, "\ufffd");
  if (/^(\+\+\+|---) /.test(harmless)) return colored(output, "bold", harmless);
  if (harmless.startsWith("+")) return colored(output, "green", harmless);
  if (harmless.startsWith("-")) return colored(output, "red", harmless);
  return harmless.startsWith("@@") ? colored(output, "cyan", harmless) : harmless;
}
