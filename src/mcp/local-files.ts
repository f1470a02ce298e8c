import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";
import { ToolError } from "./tool-error.ts";

export interface LocalFile {
  name: string;
  content: string;
  encoding: "base64";
}

/** The directories from which an agent may publish files. */
export interface LocalRoots {
  /** Their real paths, for messages. */
  readonly directories: readonly string[];
  /** Returns where a real path is. */
  place(realPath: string): "inside" | "hidden" | "outside";
}

const MAX_BYTES = 10 * 1024 * 1024;
/** Flags to avoid blocking on a pipe, and following a link that has just appeared. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Returns a function that reads a file below the roots. It throws `ToolError`. */
export function createLocalFileReader(roots: LocalRoots): (path: string) => Promise<LocalFile> {
  return async (path) => {
    if (!isAbsolute(path))
      throw new ToolError(`"${path}" is not an absolute path. Use an absolute path as local_path.`);
    const real = await realpath(path).catch(() => undefined);
    // Outside of the roots, agents must not learn which files exist.
    if (roots.place(real ?? path) === "outside") throw outside(path, roots);
    if (real === undefined) throw new ToolError(`No such file: "${path}". Check the path.`);
    if (roots.place(real) === "hidden") {
      throw new ToolError(
        `"${path}" is hidden, and hidden files are never published. If it belongs to the report, copy it to another name.`,
      );
    }
    const file = await open(real, READ).catch((error: Error) => {
      throw unreadable(path, error);
    });
    try {
      // A link may have replaced a directory of the path since the check.
      if ((await realpath(path).catch(() => undefined)) !== real) throw outside(path, roots);
      const bytes = await readWhole(path, file);
      return { name: basename(path), content: bytes.toString("base64"), encoding: "base64" };
    } finally {
      await file.close();
    }
  };
}

async function readWhole(path: string, file: FileHandle): Promise<Buffer> {
  const found = await file.stat();
  // Pipes and devices may never end.
  if (!found.isFile()) throw new ToolError(`"${path}" is not a file. Pass the path of each file of the report.`);
  if (found.size > MAX_BYTES) {
    throw new ToolError(`"${path}" has ${found.size} bytes, but the limit is ${MAX_BYTES}. Make the file smaller.`);
  }
  return file.readFile().catch((error: Error) => {
    throw unreadable(path, error);
  });
}

const unreadable = (path: string, error: Error) =>
  new ToolError(`Can't read "${path}" (${error.message}). Ask the user.`);

function outside(path: string, { directories }: LocalRoots): ToolError {
  const allowed = directories.map((directory) => `"${directory}"`).join(", ") || "no directory";
  return new ToolError(
    `"${path}" can't be published: only files in ${allowed} can. Copy the file there, or ask the user to start vitrine mcp with --root DIR.`,
  );
}
