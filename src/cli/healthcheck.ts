import { Command } from "commander";
import { filled, withExamples } from "./options.ts";
import { CommandError } from "./output.ts";

/** Resolves to undefined if the server on this machine is ready, otherwise to a sentence that says why it isn't. */
export type CheckHealth = () => Promise<string | undefined>;

export function healthcheckCommand(checkHealth: CheckHealth): Command {
  const command = new Command("healthcheck")
    .description(
      "Check whether the server on this machine is ready. For container engines, which have no curl in the image.",
    )
    .addHelpText(
      "after",
      filled(
        "It asks /-/ready at VITRINE_HOST and VITRINE_PORT, so it needs the same settings as the server. It prints nothing if the server is ready.",
      ),
    )
    .action(async () => {
      const reason = await checkHealth();
      if (reason !== undefined) throw new CommandError(reason);
    });
  return withExamples(command, "vitrine healthcheck");
}
