import { Command } from "commander";
import { exitCodesHelp } from "./exit-codes.ts";
import { withExamples } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import type { Surroundings } from "./surroundings.ts";

/** Shows the help of the command that it becomes part of, and of those in it. */
export function helpCommand({ output }: Surroundings): Command {
  const help = new Command("help")
    .description("Explain a command.")
    .argument("[command...]", "such as publish, or users create; exit-codes says how commands end");
  withExamples(help, "vitrine help publish", "vitrine help users create", "vitrine help exit-codes");
  return help.action((words: string[]) => {
    if (words.length === 1 && words[0] === "exit-codes") return output.out(exitCodesHelp("all"));
    let command = help.parent ?? help;
    for (const word of words) {
      const inner = command.commands.find((one) => one.name() === word);
      if (inner === undefined) throw new CommandError(`There is no command "${words.join(" ")}".`, EXIT_CODES.usage);
      command = inner;
    }
    command.outputHelp();
  });
}
