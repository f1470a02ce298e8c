import type { Command } from "commander";
import { type Output, quieted } from "./output.ts";
import { openSession, type Session } from "./session.ts";
import type { Surroundings } from "./surroundings.ts";

/** Options that every command has which talks to a server. */
export interface ServerOptions {
  url?: string;
  json?: boolean;
  quiet?: boolean;
}

export const withServerOptions = (command: Command): Command =>
  command
    .option("--json", "print what the server answers, as JSON")
    .option("-q, --quiet", "print nothing but results and errors")
    .option(
      "--url <address>",
      "address of the server (default: VITRINE_URL, that of vitrine login, or http://localhost:4000)",
    );

/** For people who learn from examples. */
export const withExamples = (command: Command, ...examples: readonly string[]): Command =>
  command.addHelpText("after", `\n${examples.length > 1 ? "Examples" : "Example"}:\n  ${examples.join("\n  ")}`);

/** Of operators' commands, which need no server and no token. */
export const onServerData = (command: Command, ...examples: readonly string[]): Command =>
  withExamples(
    command.addHelpText(
      "after",
      "\nWorks on the data of the server, also while that runs: give it the same\nVITRINE_DATA_DIR, or the same VITRINE_DATABASE_URL.",
    ),
    ...examples,
  );

/** Every value of an option that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

export interface Work {
  session: Session;
  output: Output;
  surroundings: Surroundings;
}

/** A session and an output as the options want them. */
export async function begin(surroundings: Surroundings, { url, quiet }: ServerOptions): Promise<Work> {
  const output = quiet ? quieted(surroundings.output) : surroundings.output;
  return { session: await openSession({ ...surroundings, output }, url), output, surroundings };
}

/** Prints an answer as JSON where that is wished for, or else what a person wants to know of it. */
export function report(output: Output, { json }: ServerOptions, answer: unknown, sentence: string): void {
  if (json) output.out(JSON.stringify(answer));
  else output.note(sentence);
}
