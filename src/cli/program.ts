import { Command } from "commander";
import { exitCodesHelp } from "./exit-codes.ts";

const HELP_OF_ALL = `
vitrine help <command> explains one, with examples. To begin with:
  vitrine serve
  vitrine login http://localhost:4000
  vitrine publish my-report/ --name my-report --public`;

/** The command line as a whole. Wrong usage is thrown and not answered with an exit of the process. */
export function createProgram(version: string, commands: readonly Command[]): Command {
  const program = new Command("vitrine")
    .description("Publishes self-contained HTML reports as immutable snapshots with permanent links.")
    .version(version, "-V, --version", "print the version")
    .addHelpText("after", HELP_OF_ALL);
  for (const command of commands) program.addCommand(complete(command));
  return settle(program);
}

/** Gives what does something a word on how it ends. */
function complete(command: Command): Command {
  for (const inner of command.commands) complete(inner);
  const codes = exitCodesHelp(talksToServer(command) ? "clients" : "operators");
  if (command.commands.length === 0) command.addHelpText("after", `\n${codes}`);
  return settle(command);
}

/** Commands inherit this only when they are made by their parent, and these are not. */
const settle = (command: Command): Command =>
  command
    .helpOption("-h, --help", "print this")
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError("(add --help for what is possible)")
    .configureHelp({
      subcommandTerm: (inner) => inner.name(),
      optionDescription: (option) => {
        const choices = option.argChoices?.join(", ");
        const isTold = option.defaultValue !== undefined && !option.description.includes("default:");
        const details = [
          ...(option.mandatory && option.defaultValue === undefined ? ["required"] : []),
          ...(choices ? [`one of ${choices}`] : []),
          ...(isTold ? [`default: ${option.defaultValue}`] : []),
        ];
        return option.description + (details.length > 0 ? ` (${details.join("; ")})` : "");
      },
    });

const talksToServer = (command: Command) =>
  command.name() === "login" || command.options.some(({ long }) => long === "--url");
