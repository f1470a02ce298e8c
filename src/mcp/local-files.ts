import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";
import { ToolError } from "./tool-error.ts";

export interface LocalFile {
  name: string;
  content: string;
  encoding: "base64";
}

/** The files that an agent may have published. */
export interface LocalRoots {
  /** Real paths of the directories, for messages. */
  readonly directories: readonly string[];
  /** Says where a real path is. */
  place(realPath: string): "inside" | "hidden" | "outside";
}

const LARGEST = 10 * 1024 * 1024;
/** Opening a pipe must not block, and a link that appeared meanwhile must not be followed. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Returns a reader of single files below the roots, named by their paths. The reader throws `ToolError`. */
export function createLocalFileReader(roots: LocalRoots): (path: string) => Promise<LocalFile> {
  return async (path) => {
    if (!isAbsolute(path)) throw new ToolError(`local_path must be absolute, and "${path}" is not.`);
    const real = await realpath(path).catch(() => undefined);
    // What lies outside isn't even told to be missing.
    if (roots.place(real ?? path) === "outside") throw outside(path, roots);
    if (real === undefined) throw new ToolError(`There is no file "${path}": check the path.`);
    if (roots.place(real) === "hidden") {
      throw new ToolError(
        `"${path}" is hidden; hidden files are never published. Copy it to another name if it belongs to the report.`,
      );
    }
    const file = await open(real, READ).catch((error: Error) => {
      throw unreadable(path, error);
    });
    try {
      // A directory on the way may have been replaced by a link meanwhile.
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
  // What is no plain file may never come to an end.
  if (!found.isFile()) throw new ToolError(`"${path}" is no file: name each file of the report by its own path.`);
  if (found.size > LARGEST) {
    throw new ToolError(`"${path}" has ${found.size} bytes, and a file may have ${LARGEST}: make it smaller.`);
  }
  return file.readFile().catch((error: Error) => {
    throw unreadable(path, error);
  });
}

const unreadable = (path: string, error: Error) =>
  new ToolError(`"${path}" cannot be read (${error.message}): ask the person.`);

function outside(path: string, { directories }: LocalRoots): ToolError {
  const allowed = directories.map((directory) => `"${directory}"`).join(", ") || "nowhere";
  return new ToolError(
    `"${path}" can't be published: files are read from ${allowed} only. Copy the file there, or ask the person to start vitrine mcp with --root DIR.`,
  );
}
