import { Command } from "commander";
import { downloadFileAddress } from "../client/lazy-routes.ts";
import { begin, type ServerOptions, withExamples } from "./options.ts";
import { CommandError, type Output } from "./output.ts";
import { findCode } from "./references.ts";
import type { Session } from "./session.ts";
import type { Surroundings } from "./surroundings.ts";
import { coloured } from "./text.ts";
import { asText } from "./upload-body.ts";

interface DiffOptions extends ServerOptions {
  file: string;
}

/** Milliseconds after which two texts count as too different. */
const PATIENCE = 20_000;

export function diffCommand(surroundings: Surroundings): Command {
  const command = new Command("diff")
    .description("Show what differs between two versions of a file, as a unified diff.")
    .argument("<a>", "a name, name@3 for its third version, or a code")
    .argument("<b>", "likewise")
    .option("--file <name>", "the file to compare", "index.html")
    .option("-q, --quiet", "say nothing but the differences and errors")
    .option("--url <address>", "address of the server (default: VITRINE_URL, vitrine login, http://localhost:4000)")
    .action((a: string, b: string, options: DiffOptions) => diff(a, b, options, surroundings));
  return withExamples(
    command,
    "vitrine diff weekly-sales@2 weekly-sales",
    "vitrine diff weekly-sales@2 weekly-sales --file data.json",
  );
}

async function diff(a: string, b: string, options: DiffOptions, surroundings: Surroundings): Promise<void> {
  const { session, output } = await begin(surroundings, options);
  const [before, after] = await Promise.all([a, b].map((text) => read(session, text, options.file)));
  if (before === undefined || after === undefined || Buffer.compare(before, after) === 0) {
    return output.note("There is no difference.");
  }
  const [oldText, newText] = [asText(before), asText(after)];
  if (oldText === undefined || newText === undefined) {
    return output.out(`Binary files ${a}/${options.file} and ${b}/${options.file} differ`);
  }
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const names = [`${a}/${options.file}`, `${b}/${options.file}`] as const;
  const settings = { timeout: PATIENCE, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(...names, oldText, newText, undefined, undefined, settings);
  if (patch === undefined) throw new CommandError("The two differ too much to say how within 20 seconds.");
  for (const line of patch.replace(/\n$/, "").split("\n")) output.out(shown(output, line));
}

async function read(session: Session, text: string, file: string): Promise<Uint8Array> {
  const query = { code: await findCode(session, text), path: file };
  return session.download(downloadFileAddress, query, (response) => response.bytes());
}

/** What a report holds must not steer the terminal; a file or another program gets it as it is. */
function shown(output: Output, line: string): string {
  if (!output.isOutTerminal) return line;
  const harmless = line.replace(/(?!\t)\p{Cc}/gu, "\ufffd");
  if (/^(\+\+\+|---) /.test(harmless)) return coloured(output, "bold", harmless);
  if (harmless.startsWith("+")) return coloured(output, "green", harmless);
  if (harmless.startsWith("-")) return coloured(output, "red", harmless);
  return harmless.startsWith("@@") ? coloured(output, "cyan", harmless) : harmless;
}
