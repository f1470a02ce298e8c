import { Argument, Command } from "commander";
import type { CliContext } from "./cli-context.ts";
import { bashScript, type CompletedCommand, type CompletedNames, fishScript, zshScript } from "./completion-scripts.ts";
import { filled, withExamples } from "./options.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof SCRIPTS;

/** Returns the command that prints a completion script, made from all commands of the program. */
export function completionCommand({ output }: CliContext): Command {
  const completion = new Command("completion")
    .description("Print a shell completion script.")
    .addArgument(new Argument("<shell>", "the shell to complete for").choices(Object.keys(SCRIPTS)))
    .addHelpText("after", filled("Add the line for your shell to ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish."));
  withExamples(
    completion,
    'eval "$(vitrine completion bash)"',
    'eval "$(vitrine completion zsh)"',
    "vitrine completion fish | source",
  );
  return completion.action((shell: Shell) => {
    output.out(SCRIPTS[shell](commandsOf(completion.parent ?? completion, "")));
  });
}

/** Returns a command and all its subcommands. */
function commandsOf(command: Command, path: string): CompletedCommand[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const isOfServer = command.options.some(({ long }) => long === "--url");
  const options = help.visibleOptions(command).map((option) => ({
    short: option.short,
    long: option.long,
    description: option.description,
    choices: option.argChoices,
    names: isOfServer ? namesOfOption(option.flags) : undefined,
    takesValue: option.required || option.optional,
  }));
  return [
    {
      path,
      options,
      commands: commands.map((inner) => ({ name: inner.name(), description: inner.description() })),
      choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
      takesReports: isOfServer && command.registeredArguments.some((argument) => REPORT_ARGUMENTS.has(argument.name())),
    },
    // What follows an alias is completed, but only names are offered.
    ...commands.flatMap((inner) =>
      [inner.name(), ...inner.aliases()].flatMap((name) => commandsOf(inner, `${path} ${name}`.trim())),
    ),
  ];
}

/** The names of arguments that take a report. */
const REPORT_ARGUMENTS = new Set(["report", "reports", "a", "b"]);

/** Returns which names an option takes, by how help shows its value. */
function namesOfOption(flags: string): CompletedNames | undefined {
  if (flags === "--name <name>") return "reports";
  if (flags.endsWith("--folder <label>")) return "folders";
  return /--(?:tag|add|remove|set) <title>$/.test(flags) ? "tags" : undefined;
}
