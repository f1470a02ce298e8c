import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { CommandError, EXIT_CODES } from "./output.ts";

/** Where a file is relative to the directories from which files may be read. */
export type Place = "inside" | "hidden" | "outside";

/**
 * Returns whether a real path is below one of the real directories, and `hidden` if a name on the way from there begins
 * with a dot.
 */
export function placeBelow(directories: readonly string[], path: string): Place {
  const relativePaths = directories
    .map((directory) => relative(directory, path).split(sep))
    .filter(([first]) => first !== "..");
  if (relativePaths.length === 0) return "outside";
  return relativePaths.some((names) => names.every((name) => !name.startsWith("."))) ? "inside" : "hidden";
}

/**
 * Resolves the directories from which an agent may publish files. The default is the working directory, unless that is
 * the root of the file system, where desktop programs start their helpers. Throws `CommandError`.
 */
export async function resolveRoots(directories: readonly string[], workingDirectory: string): Promise<string[]> {
  if (directories.length === 0) {
    const real = await realpath(workingDirectory);
    return real === sep ? [] : [real];
  }
  return Promise.all(
    directories.map(async (directory) => {
      const real = await realpath(directory).catch(() => undefined);
      if (real === undefined) throw new CommandError(`No such directory: "${directory}" (--root).`, EXIT_CODES.usage);
      if (real !== sep) return real;
      throw new CommandError("--root can't be the root of the file system. Pass a directory.", EXIT_CODES.usage);
    }),
  );
}
