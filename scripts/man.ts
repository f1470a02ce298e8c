import { readFile, writeFile } from "node:fs/promises";
import type { Command } from "commander";
import packageJson from "../package.json";
import { loadCommands } from "../src/cli/commands.ts";
import { exitCodesHelp } from "../src/cli/exit-codes.ts";
import { createProgram } from "../src/cli/program.ts";
import { readSurroundings } from "../src/cli/surroundings.ts";
import { SETTINGS } from "../src/settings/table.ts";

const PATH = new URL("../generated/vitrine.1", import.meta.url);
const ENVIRONMENT: Readonly<Record<string, string>> = {
  VITRINE_URL: "Address of the server that commands talk to.",
  VITRINE_TOKEN: "Access token, which comes before that of vitrine login.",
  NO_COLOR: "Print without colours.",
};

/** Loads all commands for their help texts; none of them runs. */
async function readProgram(): Promise<Command> {
  const never = () => Promise.reject(new Error("A manual runs nothing."));
  const commands = await loadCommands([], {
    // Independent of the machine.
    surroundings: readSurroundings({ HOME: "~" }, "linux"),
    administer: never,
    moving: { copyBlobs: never, copyDatabase: never },
    upkeep: { describeInstallation: never, adopt: never, findHeld: never, confirm: never },
    serve: never,
    serveMcp: never,
    settingHelp: async () => Object.entries(SETTINGS).map(([name, setting]) => ({ name, ...setting })),
  });
  return createProgram(packageJson.version, commands);
}

function manualPage(program: Command): string {
  const lines = [
    // Without a date, so that the page changes only with the commands.
    `.TH VITRINE 1 "" "vitrine ${packageJson.version}" "Vitrine"`,
    ".SH NAME",
    "vitrine \\- publish self\\-contained HTML reports, and serve them",
    ".SH SYNOPSIS",
    ".B vitrine",
    ".I command",
    ".RI [ options ]",
    ".SH DESCRIPTION",
    ...filled(program.description()),
    ".SH COMMANDS",
    ...program.createHelp().visibleCommands(program).flatMap(describeCommand),
    ".SH ENVIRONMENT",
    ...Object.entries(ENVIRONMENT).flatMap(([name, means]) => tagged(name, means)),
    ...paragraph("Each option of vitrine serve has an environment variable, such as VITRINE_DATA_DIR for --data-dir."),
    ".SH EXIT STATUS",
    ...[...exitCodesHelp("all").matchAll(/^ {2}(\d+) +(.+)$/gm)].flatMap(([, code = "", means = ""]) =>
      tagged(code, means),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

/** Describes a command, or the commands in it. */
function describeCommand(command: Command): string[] {
  const help = command.createHelp();
  const inner = help.visibleCommands(command);
  if (inner.length > 0) return inner.flatMap(describeCommand);
  const words = help.visibleArguments(command);
  const options = help.visibleOptions(command).filter(({ long }) => long !== "--help");
  return [
    `.SS ${roff(help.commandUsage(command))}`,
    ...filled(command.description()),
    ...words.flatMap((word) => tagged(help.argumentTerm(word), help.argumentDescription(word))),
    ...options.flatMap((option) => tagged(help.optionTerm(option), help.optionDescription(option))),
    ...remarks(command),
  ];
}

/** Returns what help prints below the options, without the exit codes, which have a section. */
function remarks(command: Command): string[] {
  let printed = "";
  const writeOut = (part: string) => {
    printed += part;
  };
  command.configureOutput({ writeOut }).outputHelp();
  const parts = printed.slice(command.helpInformation().length).split("\n\n");
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "" && !part.startsWith("Exit codes:"))
    .flatMap((part) => (/^Examples?:\n/.test(part) ? examples(part) : paragraph(part.replaceAll("\n", " "))));
}

function examples(part: string): string[] {
  const [heading = "", ...lines] = part.split("\n").map((line) => line.trim());
  return [...paragraph(heading), ".PP", ".RS 4", ".nf", ...lines.map(roff), ".fi", ".RE"];
}

const paragraph = (words: string) => [".PP", ...filled(words)];

const tagged = (term: string, description: string) => [".TP", `.B ${roff(term)}`, ...filled(description)];

/** Returns text as filled lines. */
const filled = (words: string): string[] => (words.match(/\S(?:.{0,62}\S)?(?= |$)|\S+/g) ?? []).map(roff);

/** Escapes a line of text for roff. */
const roff = (words: string): string =>
  words
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replace(/[^ -~]/g, (character) => `\\[u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`)
    .replace(/^[.']/, "\\&$&");

const page = manualPage(await readProgram());
if (!process.argv.includes("--check")) {
  await writeFile(PATH, page);
} else if ((await readFile(PATH, "utf8").catch(() => "")) !== page) {
  console.error("generated/vitrine.1 is out of date. Run `npm run man` and commit it.");
  process.exit(1);
}
