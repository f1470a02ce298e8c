import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { CommandError, EXIT_CODES } from "./output.ts";

/** How a file stands to the directories that files may be read from. */
export type Place = "inside" | "hidden" | "outside";

/**
 * Says whether a real path, one without links, is below one of the real directories; `hidden` where a name on the way
 * from there begins with a dot.
 */
export function placeBelow(directories: readonly string[], path: string): Place {
  const ways = directories.map((directory) => relative(directory, path).split(sep)).filter(([first]) => first !== "..");
  if (ways.length === 0) return "outside";
  return ways.some((names) => names.every((name) => !name.startsWith("."))) ? "inside" : "hidden";
}

/**
 * Resolves the directories that an agent may name files of. Without any, it's the working directory, unless that is the
 * whole file system: desktop programs start their helpers there. Throws `CommandError`.
 */
export async function resolveRoots(directories: readonly string[], workingDirectory: string): Promise<string[]> {
  if (directories.length === 0) {
    const real = await realpath(workingDirectory);
    return real === sep ? [] : [real];
  }
  return Promise.all(
    directories.map(async (directory) => {
      const real = await realpath(directory).catch(() => undefined);
      if (real === undefined) throw new CommandError(`--root: there is no directory "${directory}".`, EXIT_CODES.usage);
      if (real !== sep) return real;
      throw new CommandError("--root can't be the whole file system. Name a directory.", EXIT_CODES.usage);
    }),
  );
}
