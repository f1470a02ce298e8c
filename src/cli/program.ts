import { Command, type Option } from "commander";
import { exitCodesHelp } from "./exit-codes.ts";
import type { Output } from "./output.ts";
import { wrapped } from "./text.ts";
import { explainUsage } from "./usage-errors.ts";

const GETTING_STARTED = `
Run vitrine help <command> for details and examples.

Get started:
  vitrine serve
  vitrine login http://localhost:4000
  vitrine publish my-report/ --name my-report --public`;

/** Returns the command line with these commands. It throws on wrong usage instead of ending the process. */
export function createProgram(version: string, commands: readonly Command[], output: Output): Command {
  const program = new Command("vitrine")
    .description("Publish self-contained HTML reports as immutable versions with permanent links.")
    .version(version, "-v, --version", "print the version number")
    .addHelpText("after", GETTING_STARTED);
  for (const command of commands) program.addCommand(withExitCodes(command, output));
  return configure(program, output);
}

/** Adds the exit codes to the help of commands that do something, not only group others. */
function withExitCodes(command: Command, output: Output): Command {
  for (const inner of command.commands) withExitCodes(inner, output);
  const isRun = command.commands.length === 0 || command.registeredArguments.length > 0;
  if (isRun) command.addHelpText("after", `\n${exitCodesHelp(kindOf(command))}`);
  return configure(command, output);
}

/** Applies settings that commands don't inherit, because their parent does not create them. */
const configure = (command: Command, output: Output): Command =>
  command
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      outputError: (text) => {
        const message = text.replace(/^error: /, "").trimEnd();
        output.note(wrapped(output, `vitrine: ${explainUsage(message, pathOf(command))}`));
      },
    })
    .configureHelp({
      minWidthToWrap: 20,
      subcommandTerm: (inner) => inner.name(),
      subcommandDescription: (inner) => firstSentence(inner.description()),
      optionDescription: (option) => {
        const showsDefault = option.defaultValue !== undefined && !option.description.includes("default:");
        return withDetails(option.description, [
          ...(option.mandatory && option.defaultValue === undefined ? ["required"] : []),
          ...choicesOf(option),
          ...(showsDefault ? [`default: ${option.defaultValue}`] : []),
        ]);
      },
      argumentDescription: (argument) => withDetails(argument.description, choicesOf(argument)),
    });

const choicesOf = ({ argChoices }: Pick<Option, "argChoices">): string[] =>
  argChoices === undefined ? [] : [`one of ${argChoices.join(", ")}`];

/** Adds details in parentheses, or to those that the description ends with. */
function withDetails(description: string, details: readonly string[]): string {
  if (details.length === 0) return description;
  const [, text = description, given] = /^(.+) \(([^()]+)\)$/.exec(description) ?? [];
  return `${text} (${[...details, ...(given === undefined ? [] : [given])].join("; ")})`;
}

/** Returns the words that run a command, such as `vitrine users create`. */
const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

const firstSentence = (text: string): string => text.split(/(?<=\.) /, 1)[0] ?? text;

function kindOf(command: Command): "common" | "client" | "operator" | "server" {
  if (command.name() === "serve") return "server";
  if (command.name() === "healthcheck") return "common";
  const talksToServer = command.name() === "login" || command.options.some(({ long }) => long === "--url");
  return talksToServer ? "client" : "operator";
}
