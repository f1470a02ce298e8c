import { Command } from "commander";
import { exitCodesHelp } from "./exit-codes.ts";

const GETTING_STARTED = `
Run vitrine help <command> for details and examples.

Get started:
  vitrine serve
  vitrine login http://localhost:4000
  vitrine publish my-report/ --name my-report --public`;

/** Returns the command line with these commands. It throws on wrong usage instead of ending the process. */
export function createProgram(version: string, commands: readonly Command[]): Command {
  const program = new Command("vitrine")
    .description("Publish self-contained HTML reports as immutable versions with permanent links.")
    .version(version, "-v, --version", "print the version number")
    .addHelpText("after", GETTING_STARTED);
  for (const command of commands) program.addCommand(withExitCodes(command));
  return configure(program);
}

/** Adds the exit codes to the help of a command, or to that of each of its subcommands. */
function withExitCodes(command: Command): Command {
  for (const inner of command.commands) withExitCodes(inner);
  if (command.commands.length === 0) command.addHelpText("after", `\n${exitCodesHelp(kindOf(command))}`);
  return configure(command);
}

/** Applies settings that commands don't inherit, because their parent does not create them. */
const configure = (command: Command): Command =>
  command
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError("Run with --help for usage.")
    // As all other errors begin.
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "vitrine: ")) })
    .configureHelp({
      subcommandTerm: (inner) => inner.name(),
      subcommandDescription: (inner) => firstSentence(inner.description()),
      optionDescription: (option) => {
        const choices = option.argChoices?.join(", ");
        const showsDefault = option.defaultValue !== undefined && !option.description.includes("default:");
        const details = [
          ...(option.mandatory && option.defaultValue === undefined ? ["required"] : []),
          ...(choices ? [`one of ${choices}`] : []),
          ...(showsDefault ? [`default: ${option.defaultValue}`] : []),
        ];
        return option.description + (details.length > 0 ? ` (${details.join("; ")})` : "");
      },
    });

const firstSentence = (text: string): string => text.split(/(?<=\.) /, 1)[0] ?? text;

function kindOf(command: Command): "common" | "client" | "operator" | "server" {
  if (command.name() === "serve") return "server";
  if (command.name() === "healthcheck") return "common";
  const talksToServer = command.name() === "login" || command.options.some(({ long }) => long === "--url");
  return talksToServer ? "client" : "operator";
}
