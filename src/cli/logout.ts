import { Command } from "commander";
import type { CliContext } from "./cli-context.ts";
import { readCredentials, removeCredentials } from "./credentials.ts";
import { withExamples } from "./options.ts";

export function logoutCommand({ output, credentialsFile, token }: CliContext): Command {
  const command = new Command("logout").description("Remove the stored access token.").action(async () => {
    const stored = await readCredentials(credentialsFile).catch(() => undefined);
    const wasThere = await removeCredentials(credentialsFile);
    const next = stored === undefined ? "" : ` The token is still valid. Revoke it at ${stored.url}/-/account/tokens`;
    output.note(wasThere ? `Signed out.${next}` : "You weren't signed in.");
    if (token !== undefined) output.note("VITRINE_TOKEN is still set.");
  });
  return withExamples(command, "vitrine logout");
}
