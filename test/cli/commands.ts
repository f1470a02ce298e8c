import { type CommandDependencies, loadCommands } from "../../src/cli/commands.ts";
import { CommandError, type Output } from "../../src/cli/output.ts";
import { createProgram } from "../../src/cli/program.ts";
import { Failure } from "../../src/domain/model/failure.ts";
import { createAdminister, createCommands } from "../../src/main/administration.ts";
import { backUp } from "../../src/main/backing-up.ts";
import { examine } from "../../src/main/doctor/examine.ts";
import { createBlobMaintenance } from "../../src/main/installation.ts";
import { listBackups, restore } from "../../src/main/restoring.ts";
import { describeSettings } from "../../src/main/settings.ts";
import { verify } from "../../src/main/verifying.ts";
import { SettingError } from "../../src/settings/setting-error.ts";
import { readSettings } from "../../src/settings/settings.ts";
import { SETTINGS } from "../../src/settings/table.ts";
import type { Store } from "../../src/store/store.ts";

/** What a command printed, and the error that it ended with, if any. */
export interface Ran {
  out: string[];
  notes: string[];
  error: string | undefined;
  /** Whether the error is one of usage or configuration, with the exit code 2. */
  isUsage: boolean;
}

const never = () => Promise.reject(new Error("This command can't run here."));

/** Returns what commands need, as `main.ts` wires it. */
function dependenciesFor(environment: Readonly<Record<string, string>>, output: Output): CommandDependencies {
  return {
    context: {
      output,
      url: undefined,
      token: undefined,
      profile: undefined,
      credentialsFile: "/nonexistent",
      hasDesktop: false,
    },
    administer: createAdminister(environment),
    maintenance: createBlobMaintenance(environment),
    backups: {
      backUp: (request, observer) => backUp(request, observer, environment),
      list: (source) => listBackups(source, environment),
      restore: (request, observer) => restore(request, observer, environment),
      verify: (request, observer) => verify(request, observer, environment),
    },
    copying: { copyBlobs: never, copyDatabase: never },
    serve: never,
    checkHealth: never,
    serveMcp: never,
    settingHelp: async () => Object.entries(SETTINGS).map(([name, setting]) => ({ name, ...setting })),
    describeSettings: async (flags) => describeSettings(environment, flags),
    examine: (flags) => examine(environment, flags),
  };
}

/** Returns an output that keeps what is printed. */
const outputInto = ({ out, notes }: Pick<Ran, "out" | "notes">): Output => ({
  out: (line) => void out.push(line),
  note: (line) => void notes.push(line),
  write: async () => undefined,
  isTerminal: false,
  isOutTerminal: false,
  usesColor: false,
  width: () => 80,
  draw: () => undefined,
  prepare: () => undefined,
  flush: async () => undefined,
});

/**
 * Runs administration commands in this process, with these settings only. Each opens the database as it does in the
 * program, unless a store that is open is given, which is faster.
 */
export function createShell(environment: Readonly<Record<string, string>>, store?: Store) {
  const opened: Partial<CommandDependencies> =
    store === undefined
      ? {}
      : { administer: (work) => work(createCommands(store, readSettings(environment), { publish: () => undefined })) };
  return async function run(...words: string[]): Promise<Ran> {
    const ran: Ran = { out: [], notes: [], error: undefined, isUsage: false };
    try {
      const commands = await loadCommands(words, { ...dependenciesFor(environment, outputInto(ran)), ...opened });
      await createProgram("0", commands, outputInto(ran)).parseAsync(["bun", "vitrine", ...words]);
    } catch (error) {
      const isKnown = error instanceof CommandError || error instanceof SettingError || error instanceof Failure;
      if (!isKnown) throw error;
      ran.error = error.message;
      ran.isUsage = error instanceof SettingError || (error instanceof CommandError && error.exitCode === 2);
    }
    return ran;
  };
}

/** Returns every command under a heading of the help that starts like this, such as `users create`. */
export async function listCommands(heading: string): Promise<string[]> {
  const commands = await loadCommands([], dependenciesFor({}, outputInto({ out: [], notes: [] })));
  return commands
    .filter((command) => command.helpGroup().startsWith(heading))
    .flatMap((command) => {
      const inner = command.commands.map((subcommand) => `${command.name()} ${subcommand.name()}`);
      return inner.length === 0 ? [command.name()] : inner;
    });
}
