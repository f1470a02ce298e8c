import { Argument, Command } from "commander";
import type { CliContext } from "./cli-context.ts";
import { bashScript, type CompletedCommand, fishScript, zshScript } from "./completion-scripts.ts";
import { withExamples } from "./options.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof SCRIPTS;

/** Returns the command that prints a completion script, made from all commands of the program. */
export function completionCommand({ output }: CliContext): Command {
  const completion = new Command("completion")
    .description("Print a shell completion script.")
    .addArgument(new Argument("<shell>", "the shell to complete for").choices(Object.keys(SCRIPTS)))
    .addHelpText("after", "\nAdd the line for your shell to ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish.");
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
  const options = help.visibleOptions(command).map(({ short, long, description, argChoices, required, optional }) => ({
    short,
    long,
    description,
    choices: argChoices,
    takesValue: required || optional,
  }));
  return [
    {
      path,
      options,
      commands: commands.map((inner) => ({ name: inner.name(), description: inner.description() })),
      choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    },
    ...commands.flatMap((inner) => commandsOf(inner, `${path} ${inner.name()}`.trim())),
  ];
}
