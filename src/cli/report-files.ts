import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { CommandError } from "./output.ts";

export interface ReportFile {
  path: string;
  content: string;
  encoding: "utf-8" | "base64";
}

/** The files of a report: of a directory all but hidden ones, or a single HTML file as its index.html. */
export async function readReport(path: string): Promise<ReportFile[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new CommandError(`There is no file or directory "${path}".`);
  if (found.isFile()) return [await readReportFile(path, "index.html")];
  return readDirectory(path);
}

async function readDirectory(directory: string): Promise<ReportFile[]> {
  const entries = (await readdir(directory, { withFileTypes: true })).filter(({ name }) => !name.startsWith("."));
  const inner = entries.find((entry) => entry.isDirectory());
  if (inner) {
    throw new CommandError(
      `"${basename(directory)}" contains the directory "${inner.name}"; a report is a flat set of files beside index.html.`,
    );
  }
  if (!entries.some(({ name }) => name === "index.html")) {
    throw new CommandError(`"${directory}" contains no index.html.`);
  }
  const names = entries.map(({ name }) => name).sort();
  return Promise.all(names.map((name) => readReportFile(join(directory, name), name)));
}

async function readReportFile(path: string, name: string): Promise<ReportFile> {
  const bytes = await readFile(path);
  const text = asText(bytes);
  if (text !== undefined) return { path: name, content: text, encoding: "utf-8" };
  return { path: name, content: bytes.toString("base64"), encoding: "base64" };
}

/** The bytes as text, if it would turn back into exactly the same bytes. */
function asText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
