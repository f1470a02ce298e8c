import { type ParseArgsConfig, parseArgs } from "node:util";

/** Ends a script with exit code 2, after saying what is wrong with its command line. */
export function failWithHelp(message: string, help: string): never {
  console.error(`${message}\n\n${help}`);
  process.exit(2);
}

/** Reads the options and arguments of a script. Ends it with its help if that is asked for, or if they can't be read. */
export function readCommandLine<Config extends ParseArgsConfig>(
  help: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (process.argv.some((argument) => argument === "--help" || argument === "-h")) {
    console.log(help);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return failWithHelp(error instanceof Error ? error.message : String(error), help);
  }
}
