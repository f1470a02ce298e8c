import { Command } from "commander";
import { collect, withExamples } from "./options.ts";
import { type Place, placeBelow, resolveRoots } from "./roots.ts";
import { findAccess } from "./session.ts";
import type { Surroundings } from "./surroundings.ts";

/** What an agent may do: with which token where, and which files it may publish. */
interface AgentAccess {
  url: string;
  token: string | undefined;
  roots: { directories: readonly string[]; place(realPath: string): Place };
}

/** Serves agents on standard input and output until the input ends. */
export type ServeMcp = (access: AgentAccess) => Promise<void>;

export function mcpCommand(surroundings: Surroundings, serveMcp: ServeMcp): Command {
  const command = new Command("mcp")
    .description("Serve agents with the Model Context Protocol on standard input and output.")
    .option(
      "--url <address>",
      "address of the server (default: VITRINE_URL, that of vitrine login, or http://localhost:4000)",
    )
    .option("--root <dir>", "publish files below this directory (repeatable; default: the working directory)", collect)
    .addHelpText(
      "after",
      "\nAdd this command to an agent's settings. The agent can do what the token of\nVITRINE_TOKEN or vitrine login allows, and publish files below the root directories.\nHidden files, and links that lead elsewhere, are refused.",
    )
    .action(async ({ url, root = [] }: { url?: string; root?: string[] }) => {
      const directories = await resolveRoots(root, process.cwd());
      const roots = { directories, place: (path: string) => placeBelow(directories, path) };
      await serveMcp({ ...(await findAccess(surroundings, url)), roots });
    });
  return withExamples(
    command,
    "vitrine mcp",
    "vitrine mcp --root ~/reports --root /srv/nightly",
    "claude mcp add vitrine --env VITRINE_URL=http://localhost:4000 --env VITRINE_TOKEN=vtr_... -- vitrine mcp",
  );
}
