import { Command } from "commander";
import type { CliContext } from "./cli-context.ts";
import { exitCodesHelp } from "./exit-codes.ts";
import { withExamples } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";

/** Returns the command that shows the help of the others. */
export function helpCommand({ output }: CliContext): Command {
  const help = new Command("help")
    .description("Show help for a command.")
    .argument("[command...]", "a command such as publish or users create, or exit-codes");
  withExamples(help, "vitrine help publish", "vitrine help users create", "vitrine help exit-codes");
  return help.action((words: string[]) => {
    if (words.length === 1 && words[0] === "exit-codes") return output.out(exitCodesHelp("all"));
    let command = help.parent ?? help;
    for (const word of words) {
      const inner = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
      if (inner === undefined)
        throw new CommandError(
          `Unknown command "${words.join(" ")}". Run vitrine help for a list of commands.`,
          EXIT_CODES.usage,
        );
      command = inner;
    }
    command.outputHelp();
  });
}
