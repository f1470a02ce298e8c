import { readCliContext } from "./cli/cli-context.ts";

const [command, ...args] = process.argv.slice(2);
// Shells ask for names while a person types, so completion doesn't wait for the parser of commands.
if (command === "complete") await (await import("./cli/complete.ts")).complete(args, readCliContext(process.env));
else await import("./main/run.ts");
