import { Command } from "commander";
import { readCredentials, removeCredentials } from "./credentials.ts";
import { withExamples } from "./options.ts";
import type { Surroundings } from "./surroundings.ts";

export function logoutCommand({ output, credentialsFile, token }: Surroundings): Command {
  const command = new Command("logout").description("Forget the token of vitrine login.").action(async () => {
    const kept = await readCredentials(credentialsFile).catch(() => undefined);
    const wasThere = await removeCredentials(credentialsFile);
    const where =
      kept === undefined ? "" : ` The token is still valid; it can be revoked at ${kept.url}/-/account/tokens.`;
    output.note(wasThere ? `Signed out.${where}` : "Nobody was signed in.");
    if (token !== undefined) output.note("VITRINE_TOKEN is still set.");
  });
  return withExamples(command, "vitrine logout");
}
