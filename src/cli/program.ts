import { Command } from "commander";

/** The command line as a whole. Wrong usage is thrown and not answered with an exit of the process. */
export function createProgram(version: string, commands: readonly Command[]): Command {
  const program = new Command("vitrine")
    .description("Publishes self-contained HTML reports as immutable snapshots with permanent links.")
    .version(version);
  for (const command of commands) program.addCommand(exitByThrowing(command));
  return exitByThrowing(program);
}

/** Commands inherit this only when they are made by their parent, and these are not. */
function exitByThrowing(command: Command): Command {
  for (const inner of command.commands) exitByThrowing(inner);
  return command.helpCommand(false).exitOverride().showHelpAfterError("(add --help for what is possible)");
}
