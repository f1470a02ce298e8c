import { Command, Option } from "commander";
import { filled, withExamples } from "./options.ts";

/** A setting as the help shows it. */
export interface SettingHelp {
  name: string;
  default: string;
  help: string;
}

/** Runs the server until it is asked to stop. Flags are passed as environment variables. */
export type Serve = (flags: Readonly<Record<string, string>>) => Promise<void>;

/** Returns the flag of a setting: `data-dir` for `VITRINE_DATA_DIR`. */
const flagOf = (name: string) =>
  name
    .replace(/^VITRINE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");

export function serveCommand(settings: readonly SettingHelp[], serve: Serve): Command {
  const command = new Command("serve")
    .description("Run the server.")
    .addHelpText(
      "after",
      filled(
        "You can also set each option as an environment variable, such as VITRINE_DATA_DIR. The first start prints a link to create the first account. Stop the server with Ctrl-C or SIGTERM.",
      ),
    );
  withExamples(
    command,
    "vitrine serve",
    "vitrine serve --data-dir /var/lib/vitrine --port 80 --content-port 8080",
    "vitrine serve --base-url https://reports.example.org --content-url https://reports-content.example.org",
  );
  return withSettingFlags(command, settings).action(() => serve(readFlags(command, settings)));
}

/** Adds the flag of each setting to a command, without repeating them in its help if they are hidden. */
export function withSettingFlags(
  command: Command,
  settings: readonly SettingHelp[],
  { isHidden = false } = {},
): Command {
  for (const setting of settings) {
    const description = `${setting.help} (default: ${setting.default})`;
    command.addOption(new Option(`--${flagOf(setting.name)} <value>`, description).hideHelp(isHidden));
  }
  return command;
}

/** Returns the given flags by the names of their settings. */
export function readFlags(command: Command, settings: readonly SettingHelp[]): Record<string, string> {
  const flags: Record<string, string> = {};
  for (const { name } of settings) {
    const attribute = flagOf(name).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const value: unknown = command.opts()[attribute];
    if (typeof value === "string") flags[name] = value;
  }
  return flags;
}
