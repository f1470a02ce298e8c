import { Command } from "commander";
import type { Connect } from "./publish.ts";

/** Serves agents on standard input and output until the input ends. */
export type ServeMcp = (connection: ReturnType<Connect>) => Promise<void>;

export function mcpCommand(connect: Connect, serveMcp: ServeMcp): Command {
  return new Command("mcp")
    .description("Serve agents with the Model Context Protocol on standard input and output.")
    .option("--url <address>", "address of the server (default: VITRINE_URL, or http://localhost:4000)")
    .addHelpText("after", "\nThe access token is taken from VITRINE_TOKEN; what it allows the agent may do.")
    .action(({ url }: { url?: string }) => serveMcp(connect(url)));
}
