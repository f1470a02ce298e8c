import { Command } from "commander";
import { downloadFileAddress } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, type ServerOptions, URL_HELP, withExamples } from "./options.ts";
import { CommandError, type Output } from "./output.ts";
import { findCode } from "./references.ts";
import type { Session } from "./session.ts";
import { colored } from "./text.ts";
import { asText } from "./upload-body.ts";

interface DiffOptions extends ServerOptions {
  file: string;
}

/** Milliseconds after which a comparison is given up. */
const TIME_LIMIT = 20_000;

export function diffCommand(context: CliContext): Command {
  const command = new Command("diff")
    .description("Compare a file in two versions, as a unified diff.")
    .argument("<a>", "name of a report, name@3 for its version 3, or the code of a version")
    .argument("<b>", "what to compare it with, in the same form")
    .option("--file <name>", "file to compare", "index.html")
    .option("-q, --quiet", "print only the differences and errors")
    .option("--url <address>", URL_HELP)
    .action((a: string, b: string, options: DiffOptions) => diff(a, b, options, context));
  return withExamples(
    command,
    "vitrine diff weekly-sales@2 weekly-sales",
    "vitrine diff weekly-sales@2 weekly-sales --file data.json",
  );
}

async function diff(a: string, b: string, options: DiffOptions, context: CliContext): Promise<void> {
  const { session, output } = await connect(context, options);
  const [before, after] = await Promise.all([a, b].map((text) => read(session, text, options.file)));
  if (before === undefined || after === undefined || Buffer.compare(before, after) === 0) {
    return output.note("No differences.");
  }
  const [oldText, newText] = [asText(before), asText(after)];
  if (oldText === undefined || newText === undefined) {
    return output.out(`Binary files ${a}/${options.file} and ${b}/${options.file} differ`);
  }
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const names = [`${a}/${options.file}`, `${b}/${options.file}`] as const;
  const settings = { timeout: TIME_LIMIT, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(...names, oldText, newText, undefined, undefined, settings);
  if (patch === undefined) throw new CommandError("The files are too different to compare within 20 seconds.");
  for (const line of patch.replace(/\n$/, "").split("\n")) output.out(forDisplay(output, line));
}

async function read(session: Session, text: string, file: string): Promise<Uint8Array> {
  const query = { code: await findCode(session, text), path: file };
  return session.download(downloadFileAddress, query, (response) => response.bytes());
}

/** Colors a line and removes control characters, but only for a terminal. */
function forDisplay(output: Output, line: string): string {
  if (!output.isOutTerminal) return line;
  const harmless = line.replace(/(?!\t)\p{Cc}/gu, "\ufffd");
  if (/^(\+\+\+|---) /.test(harmless)) return colored(output, "bold", harmless);
  if (harmless.startsWith("+")) return colored(output, "green", harmless);
  if (harmless.startsWith("-")) return colored(output, "red", harmless);
  return harmless.startsWith("@@") ? colored(output, "cyan", harmless) : harmless;
}
