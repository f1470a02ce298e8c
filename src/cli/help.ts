import { Command } from "commander";
import { EXIT_CODES_HELP } from "./exit-codes.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import type { Surroundings } from "./surroundings.ts";

/** Shows the help of the command that it becomes part of, and of those in it. */
export function helpCommand({ output }: Surroundings): Command {
  const help = new Command("help")
    .description("Show what a command does; help exit-codes says how commands end.")
    .argument("[command...]", "such as publish, or users create");
  return help.action((words: string[]) => {
    if (words.length === 1 && words[0] === "exit-codes") return output.out(EXIT_CODES_HELP);
    let command = help.parent ?? help;
    for (const word of words) {
      const inner = command.commands.find((one) => one.name() === word);
      if (inner === undefined) throw new CommandError(`There is no command "${words.join(" ")}".`, EXIT_CODES.usage);
      command = inner;
    }
    command.outputHelp();
  });
}
