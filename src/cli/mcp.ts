import { Command } from "commander";
import { withExamples } from "./options.ts";
import { findAccess } from "./session.ts";
import type { Surroundings } from "./surroundings.ts";

/** Serves agents on standard input and output until the input ends. */
export type ServeMcp = (access: { url: string; token: string | undefined }) => Promise<void>;

export function mcpCommand(surroundings: Surroundings, serveMcp: ServeMcp): Command {
  const command = new Command("mcp")
    .description("Serve agents with the Model Context Protocol on standard input and output.")
    .option(
      "--url <address>",
      "address of the server (default: VITRINE_URL, that of vitrine login, or http://localhost:4000)",
    )
    .addHelpText(
      "after",
      "\nAn agent's settings name this command; what the agent may do is what the token of\nVITRINE_TOKEN or vitrine login allows.",
    )
    .action(async ({ url }: { url?: string }) => serveMcp(await findAccess(surroundings, url)));
  return withExamples(
    command,
    "vitrine mcp",
    "claude mcp add vitrine --env VITRINE_URL=http://localhost:4000 --env VITRINE_TOKEN=vtr_... -- vitrine mcp",
  );
}
