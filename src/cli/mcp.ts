import { Command } from "commander";
import type { CliContext } from "./cli-context.ts";
import { collect, filled, PROFILE_HELP, URL_HELP, withExamples } from "./options.ts";
import { type Place, placeBelow, resolveRoots } from "./roots.ts";
import { findAccess } from "./session.ts";

/** What an agent can access: a server with a token, and files to publish. */
interface AgentAccess {
  url: string;
  token: string | undefined;
  roots: { directories: readonly string[]; place(realPath: string): Place };
}

/** Serves an agent on standard input and output until the input ends. */
export type ServeMcp = (access: AgentAccess) => Promise<void>;

export function mcpCommand(context: CliContext, serveMcp: ServeMcp): Command {
  const command = new Command("mcp")
    .description("Serve an agent over the Model Context Protocol (stdio).")
    .option("--url <address>", URL_HELP)
    .option("--profile <name>", PROFILE_HELP)
    .option(
      "--root <dir>",
      "allow the agent to publish files below this directory (repeatable; default: the working directory)",
      collect,
    )
    .addHelpText(
      "after",
      filled(
        "Add this command to an agent's settings. The agent can do what the token from VITRINE_TOKEN or vitrine login allows, and publish files below the root directories, except hidden files and links that lead outside.",
      ),
    )
    .action(async ({ url, profile, root = [] }: { url?: string; profile?: string; root?: string[] }) => {
      const directories = await resolveRoots(root, process.cwd());
      const roots = { directories, place: (path: string) => placeBelow(directories, path) };
      const access = await findAccess(context, { url, profile });
      await serveMcp({ url: access.url, token: access.token, roots });
    });
  return withExamples(
    command,
    "vitrine mcp",
    "vitrine mcp --root ~/reports --root /srv/nightly",
    "claude mcp add vitrine --env VITRINE_URL=http://localhost:4000 --env VITRINE_TOKEN=vtr_... -- vitrine mcp",
  );
}
