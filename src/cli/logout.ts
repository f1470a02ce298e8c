import { Command } from "commander";
import type { CliContext } from "./cli-context.ts";
import { type Credentials, checkProfile, DEFAULT_PROFILE, readProfiles, writeProfiles } from "./credentials.ts";
import { PROFILE_HELP, withExamples } from "./options.ts";

export function logoutCommand(context: CliContext): Command {
  const { output, credentialsFile, token } = context;
  const command = new Command("logout")
    .description("Remove the stored access token, and revoke it if vitrine login created it in the browser.")
    .option("--profile <name>", PROFILE_HELP)
    .action(async (options: { profile?: string }) => {
      const profile = checkProfile(options.profile ?? context.profile ?? DEFAULT_PROFILE);
      // A damaged file is removed whole.
      const profiles = await readProfiles(credentialsFile).catch(() => undefined);
      const stored = profiles?.get(profile);
      const others = [...(profiles ?? [])].filter(([name]) => name !== profile);
      const wasThere = stored !== undefined || profiles === undefined;
      if (wasThere) await writeProfiles(credentialsFile, new Map(others));
      const isRevoked = stored?.isOwn === true && (await revoke(stored));
      const isValid = stored !== undefined && !isRevoked;
      const next = isValid ? ` The token is still valid. Revoke it at ${stored.url}/-/account/tokens` : "";
      output.note(wasThere ? `Signed out.${next}` : "You weren't signed in.");
      if (token !== undefined) output.note("VITRINE_TOKEN is still set.");
    });
  return withExamples(command, "vitrine logout", "vitrine logout --profile work");
}

async function revoke({ url, token }: Credentials): Promise<boolean> {
  const { revokeSignIn } = await import("../client/device-sign-in.ts");
  return revokeSignIn(url, token);
}
