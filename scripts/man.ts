import { readFile, writeFile } from "node:fs/promises";
import type { Command } from "commander";
import packageJson from "../package.json";
import { readCliContext } from "../src/cli/cli-context.ts";
import { loadCommands } from "../src/cli/commands.ts";
import { exitCodesHelp } from "../src/cli/exit-codes.ts";
import { createProgram } from "../src/cli/program.ts";
import { SETTINGS } from "../src/settings/table.ts";

const PATH = new URL("../generated/vitrine.1", import.meta.url);
const ENVIRONMENT: Readonly<Record<string, string>> = {
  VITRINE_URL: "Address of the server that commands connect to.",
  VITRINE_PROFILE: "Profile of vitrine login to use, for several servers. Default: default.",
  VITRINE_TOKEN: "Access token. Takes precedence over the token of vitrine login.",
  NO_COLOR: "Turn off colors.",
  NODE_EXTRA_CA_CERTS: "File with certificates of your own authorities, which are trusted in addition.",
};

const EXAMPLES: readonly (readonly [means: string, line: string])[] = [
  ["Publish a directory as the next version of a report:", "vitrine publish my-report/ --name weekly-sales --public"],
  ["Publish what another program prints:", "make-report | vitrine publish - --name nightly --quiet"],
  ["See what changed since the version before:", "vitrine diff weekly-sales --stat"],
  ["Roll back to version 3:", "vitrine rollback weekly-sales 3"],
];

/** Returns all commands. None of them runs. */
async function readProgram(): Promise<Command> {
  // Fixed, so that the page is identical on every machine.
  const context = readCliContext({ HOME: "~" }, "linux");
  const never = () => Promise.reject(new Error("The manual page runs no command."));
  const commands = await loadCommands([], {
    context,
    administer: never,
    backups: { backUp: never, list: never, restore: never, verify: never },
    copying: { copyBlobs: never, copyDatabase: never },
    maintenance: {
      describeInstallation: never,
      adopt: never,
      listDamaged: never,
      findHeldSweep: never,
      confirmSweep: never,
    },
    serve: never,
    checkHealth: never,
    serveMcp: never,
    settingHelp: async () => Object.entries(SETTINGS).map(([name, setting]) => ({ name, ...setting })),
    describeSettings: never,
    // biome-ignore lint/correctness/useYield: it never runs.
    async *examine() {
      await never();
    },
  });
  return createProgram(packageJson.version, commands, context.output);
}

function manualPage(program: Command): string {
  const lines = [
    // Without a date, the page changes only when the commands do.
    `.TH VITRINE 1 "" "vitrine ${packageJson.version}" "Vitrine"`,
    ".SH NAME",
    "vitrine \\- publish and serve self\\-contained HTML reports",
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
    ...paragraph(
      "Each option of vitrine serve can also be set with a variable, such as VITRINE_DATA_DIR for --data-dir.",
    ),
    ".SH FILES",
    ...tagged(
      "~/.config/vitrine/credentials.json",
      "Server and access token of vitrine login. XDG_CONFIG_HOME moves it.",
    ),
    ...tagged(
      "~/.config/vitrine/completion.json",
      "Names of reports, folders and tags for shell completion, kept for a minute.",
    ),
    ...tagged("./vitrine-data", "Data directory of vitrine serve, unless VITRINE_DATA_DIR names another."),
    ".SH EXIT STATUS",
    ...[...exitCodesHelp("all").matchAll(/^ {2}(\d+) +(.+)$/gm)].flatMap(([, code = "", means = ""]) =>
      tagged(code, means),
    ),
    ".SH EXAMPLES",
    ...EXAMPLES.flatMap(([means, line], at) => [
      ...(at === 0 ? filled(means) : paragraph(means)),
      ".PP",
      ".RS 4",
      ".nf",
      roff(line),
      ".fi",
      ".RE",
    ]),
    ".SH SEE ALSO",
    ".BR curl (1),",
    ".BR jq (1)",
    ...paragraph("The server documents its API at /-/docs."),
  ];
  return `${lines.join("\n")}\n`;
}

/** Describes a command, unless it only has subcommands, and its subcommands. */
function describeCommand(command: Command): string[] {
  const help = command.createHelp();
  const inner = help.visibleCommands(command);
  const words = help.visibleArguments(command);
  if (inner.length > 0 && words.length === 0) return inner.flatMap(describeCommand);
  const options = help.visibleOptions(command).filter(({ long }) => long !== "--help");
  return [
    `.SS ${roff(help.commandUsage(command).replace(/\|[a-z]+/, ""))}`,
    ...filled(command.description()),
    ...command.aliases().flatMap((alias) => paragraph(`Alias: vitrine ${alias}.`)),
    ...words.flatMap((word) => tagged(help.argumentTerm(word), help.argumentDescription(word))),
    ...options.flatMap((option) => tagged(help.optionTerm(option), help.optionDescription(option))),
    ...remarks(command),
    ...inner.flatMap(describeCommand),
  ];
}

/** Returns what the help says below the options, except for the exit codes, which are in another section. */
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

/** Breaks text into lines. The breaks do not show in the page. */
const filled = (words: string): string[] => (words.match(/\S(?:.{0,62}\S)?(?= |$)|\S+/g) ?? []).map(roff);

/** Escapes a line of text. */
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
  console.error("generated/vitrine.1 is out of date. Run `npm run man` and commit the result.");
  process.exit(1);
}
