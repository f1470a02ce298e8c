import { Argument, Command } from "commander";
import { bashScript, fishScript, type Node, zshScript } from "./completion-scripts.ts";
import { withExamples } from "./options.ts";
import type { Surroundings } from "./surroundings.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof SCRIPTS;

/** Prints a script made from the very commands that the program has. */
export function completionCommand({ output }: Surroundings): Command {
  const completion = new Command("completion")
    .description("Print a script that lets a shell complete commands and options.")
    .addArgument(new Argument("<shell>", "which one").choices(Object.keys(SCRIPTS)))
    .addHelpText(
      "after",
      "\nThe first belongs into ~/.bashrc, the second into ~/.zshrc, the third into\n~/.config/fish/config.fish.",
    );
  withExamples(
    completion,
    'eval "$(vitrine completion bash)"',
    'eval "$(vitrine completion zsh)"',
    "vitrine completion fish | source",
  );
  return completion.action((shell: Shell) => {
    output.out(SCRIPTS[shell](nodesOf(completion.parent ?? completion, "")));
  });
}

/** A command and all below it, each with the words that lead to it. */
function nodesOf(command: Command, path: string): Node[] {
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
    ...commands.flatMap((inner) => nodesOf(inner, `${path} ${inner.name()}`.trim())),
  ];
}
