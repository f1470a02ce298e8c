import { readFile, stat } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";
import { ToolError } from "./tool-error.ts";

export interface LocalFile {
  name: string;
  content: string;
  encoding: "base64";
}

const LARGEST = 10 * 1024 * 1024;

/** Reads one file that is named by its path. Throws `ToolError`. */
export async function readLocalFile(path: string): Promise<LocalFile> {
  if (!isAbsolute(path)) throw new ToolError(`local_path must be absolute, and "${path}" is not.`);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new ToolError(`There is no file "${path}": check the path.`);
  // What is no plain file may never come to an end.
  if (!found.isFile()) throw new ToolError(`"${path}" is no file: name each file of the report by its own path.`);
  if (found.size > LARGEST) {
    throw new ToolError(`"${path}" has ${found.size} bytes, and a file may have ${LARGEST}: make it smaller.`);
  }
  const bytes = await readFile(path).catch((error: Error) => {
    throw new ToolError(`"${path}" cannot be read (${error.message}): ask the person.`);
  });
  return { name: basename(path), content: bytes.toString("base64"), encoding: "base64" };
}
