import { Command } from "commander";
import type { CliContext } from "./cli-context.ts";
import { checkProfile, DEFAULT_PROFILE, readProfiles, writeProfiles } from "./credentials.ts";
import { PROFILE_HELP, withExamples } from "./options.ts";

export function logoutCommand(context: CliContext): Command {
  const { output, credentialsFile, token } = context;
  const command = new Command("logout")
    .description("Remove the stored access token.")
    .option("--profile <name>", PROFILE_HELP)
    .action(async (options: { profile?: string }) => {
      const profile = checkProfile(options.profile ?? context.profile ?? DEFAULT_PROFILE);
      // A damaged file is removed whole.
      const profiles = await readProfiles(credentialsFile).catch(() => undefined);
      const stored = profiles?.get(profile);
      const others = [...(profiles ?? [])].filter(([name]) => name !== profile);
      const wasThere = stored !== undefined || profiles === undefined;
      if (wasThere) await writeProfiles(credentialsFile, new Map(others));
      const next = stored === undefined ? "" : ` The token is still valid. Revoke it at ${stored.url}/-/account/tokens`;
      output.note(wasThere ? `Signed out.${next}` : "You weren't signed in.");
      if (token !== undefined) output.note("VITRINE_TOKEN is still set.");
    });
  return withExamples(command, "vitrine logout", "vitrine logout --profile work");
}
