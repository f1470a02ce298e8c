import { Command, Option } from "commander";
import type { Administer } from "./administration.ts";
import { withDataHelp } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { counted } from "./text.ts";

export function sessionsCommand(administer: Administer, output: Output): Command {
  const end = new Command("end")
    .description("Sign a user, or everyone, out of the portal. Access tokens still work.")
    .option("--user <user>", "slug of the user")
    .addOption(new Option("--all", "sign everyone out").conflicts("user"))
    .action(async ({ user, all }: { user?: string; all?: boolean }) => {
      if (user === undefined && all !== true) {
        throw new CommandError("Pass --user to sign a user out, or --all to sign everyone out.", EXIT_CODES.usage);
      }
      const ended = await administer((administration) => administration.endSessions(user));
      output.note(`Ended ${counted(ended, "session")}.`);
    });
  return new Command("sessions")
    .description("Manage sessions of the portal.")
    .addCommand(withDataHelp(end, "vitrine sessions end --user ada", "vitrine sessions end --all"));
}
