import { Command } from "commander";
import { withExamples } from "./options.ts";

/** A setting as the command line shows it. */
export interface SettingHelp {
  name: string;
  default: string;
  help: string;
}

/** Runs the server until it is told to stop. Values of flags come as environment variables. */
export type Serve = (flags: Readonly<Record<string, string>>) => Promise<void>;

/** `VITRINE_DATA_DIR` becomes `data-dir`. */
const flagOf = (name: string) =>
  name
    .replace(/^VITRINE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");

export function serveCommand(settings: readonly SettingHelp[], serve: Serve): Command {
  const command = new Command("serve")
    .description("Serve the application and the published reports.")
    .addHelpText(
      "after",
      "\nEach option may also be given as an environment variable, such as VITRINE_DATA_DIR.\nThe first start prints a link that makes the first account. SIGTERM or Ctrl-C ends it.",
    );
  withExamples(
    command,
    "vitrine serve",
    "vitrine serve --data-dir /var/lib/vitrine --port 80 --content-port 8080",
    "vitrine serve --base-url https://reports.example.org --content-url https://reports-content.example.org",
  );
  for (const setting of settings) {
    command.option(`--${flagOf(setting.name)} <value>`, `${setting.help} (default: ${setting.default})`);
  }
  return command.action(async () => {
    const flags: Record<string, string> = {};
    for (const { name } of settings) {
      const attribute = flagOf(name).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const value: unknown = command.opts()[attribute];
      if (typeof value === "string") flags[name] = value;
    }
    await serve(flags);
  });
}
