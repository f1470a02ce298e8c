import { Command } from "commander";
import { findAccess } from "./session.ts";
import type { Surroundings } from "./surroundings.ts";

/** Serves agents on standard input and output until the input ends. */
export type ServeMcp = (access: { url: string; token: string | undefined }) => Promise<void>;

export function mcpCommand(surroundings: Surroundings, serveMcp: ServeMcp): Command {
  return new Command("mcp")
    .description("Serve agents with the Model Context Protocol on standard input and output.")
    .option(
      "--url <address>",
      "address of the server (default: VITRINE_URL, what `vitrine login` has kept, or http://localhost:4000)",
    )
    .addHelpText(
      "after",
      "\nThe access token is taken from VITRINE_TOKEN, or from `vitrine login`; what it allows the agent may do.",
    )
    .action(async ({ url }: { url?: string }) => serveMcp(await findAccess(surroundings, url)));
}
