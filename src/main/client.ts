import { provideRuntime } from "./node-runtime.ts";

/** Commands that need the server's code, which only Bun runs. */
const NEED_EXECUTABLE =
  /^(serve|doctor|mcp|users|orgs|workspaces|tokens|sessions|plans|audit|blobs|backup|restore|verify|db)$/;

// The entry of the npm package. Modules read Bun when they are used, so it has to be there before they are.
provideRuntime();
const [command = ""] = process.argv.slice(2);
if (process.versions.bun === undefined && NEED_EXECUTABLE.test(command) && !process.argv.includes("--help")) {
  const otherwise = command === "mcp" ? ", or connect the agent to /mcp on the server" : "";
  process.stderr.write(
    `vitrine: vitrine ${command} requires the executable of Vitrine. Ask your server's administrator for it${otherwise}.\n`,
  );
  process.exit(2);
}
await import("../main.ts");
