import { type Command, Help, InvalidArgumentError } from "commander";
import type { CliContext } from "./cli-context.ts";
import { type Output, quieted } from "./output.ts";
import { openSession, type Session } from "./session.ts";

export const URL_HELP =
  "server address (default: VITRINE_URL, then the server of vitrine login, then http://localhost:4000)";

export const PROFILE_HELP = "profile of vitrine login, for several servers (default: VITRINE_PROFILE, then default)";

/** Options of every command that talks to a server. */
export interface ServerOptions {
  url?: string;
  profile?: string;
  json?: boolean;
  quiet?: boolean;
}

export const withServerOptions = (command: Command): Command =>
  withConnectionOptions(command.option("--json", "print the result as JSON"));

/** Adds the options of `withServerOptions` to a command whose result is no JSON. */
export const withConnectionOptions = (command: Command): Command =>
  command
    .option("-q, --quiet", "print only results and errors")
    .option("--url <address>", URL_HELP)
    .option("--profile <name>", PROFILE_HELP);

/** Returns a paragraph for the end of a command's help, whose lines are as long as the terminal allows. */
export const filled = (text: string) => (): string =>
  `\n${new Help().boxWrap(text.trim().replaceAll(/\s+/g, " "), process.stdout.columns ?? HELP_WIDTH)}`;

/** The width of help where there is no terminal. */
const HELP_WIDTH = 80;

/** Adds examples to the help of a command. */
export const withExamples = (command: Command, ...examples: readonly string[]): Command =>
  command.addHelpText("after", `\n${examples.length > 1 ? "Examples" : "Example"}:\n  ${examples.join("\n  ")}`);

/** Adds examples, and a note on settings, to the help of an administration command. */
export const withDataHelp = (command: Command, ...examples: readonly string[]): Command =>
  withExamples(
    command.addHelpText(
      "after",
      filled(
        "This command works directly on the server's data, even while the server runs. Set the same VITRINE_DATA_DIR or VITRINE_DATABASE_URL as for the server.",
      ),
    ),
    ...examples,
  );

/** Collects the values of a repeatable option. */
export function collect(value: string, before: readonly string[] = []): string[] {
  if (value.trim() === "") throw new InvalidArgumentError("It can't be empty.");
  return [...before, value];
}

export interface Connection {
  session: Session;
  output: Output;
  context: CliContext;
}

/** Returns the output that the options ask for. */
export const outputFor = ({ output }: CliContext, { quiet }: Pick<ServerOptions, "quiet">): Output =>
  quiet ? quieted(output) : output;

/** Returns the session and the output that the options ask for. */
export async function connect(context: CliContext, options: ServerOptions): Promise<Connection> {
  const { url, profile } = options;
  const output = outputFor(context, options);
  return { session: await openSession({ ...context, output }, { url, profile }), output, context };
}

/** Prints a result as JSON if the options ask for it, and otherwise as a sentence. */
export function printResult(output: Output, { json }: ServerOptions, result: unknown, sentence: string): void {
  if (json) output.out(JSON.stringify(result));
  else output.note(sentence);
}
