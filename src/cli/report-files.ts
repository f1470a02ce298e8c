import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { CommandError } from "./output.ts";

export interface Report {
  files: ReportFile[];
  /** Bytes of all files. */
  size: number;
}

export interface ReportFile {
  path: string;
  content: string;
  encoding: "utf-8" | "base64";
}

const FILE_NAME = /^[A-Za-z0-9._-]+$/;

/** The files of a report: of a directory all but hidden ones, or a single HTML file as its index.html. */
export async function readReport(path: string): Promise<Report> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new CommandError(`There is no file or directory "${path}".`);
  const named = found.isDirectory() ? await namesIn(path) : [{ path, name: "index.html" }];
  const contents = await Promise.all(named.map(async (file) => ({ ...file, bytes: await readBytes(file.path) })));
  return {
    files: contents.map(({ name, bytes }) => toReportFile(name, bytes)),
    size: contents.reduce((sum, { bytes }) => sum + bytes.length, 0),
  };
}

async function namesIn(directory: string): Promise<{ path: string; name: string }[]> {
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
  const unusable = names.find((name) => !FILE_NAME.test(name));
  if (unusable !== undefined) {
    throw new CommandError(
      `"${directory}" contains "${unusable}"; file names may hold letters, digits, dots, underscores and hyphens alone.`,
    );
  }
  return names.map((name) => ({ path: join(directory, name), name }));
}

function readBytes(path: string): Promise<Buffer> {
  return readFile(path).catch((error: Error) => {
    throw new CommandError(`"${path}" cannot be read: ${error.message}.`);
  });
}

function toReportFile(name: string, bytes: Buffer): ReportFile {
  const base64 = bytes.toString("base64");
  const text = asText(bytes);
  // Text of mostly control characters is several times its size in JSON.
  if (text !== undefined && Buffer.byteLength(JSON.stringify(text)) <= base64.length + 100) {
    return { path: name, content: text, encoding: "utf-8" };
  }
  return { path: name, content: base64, encoding: "base64" };
}

/** The bytes as text, if it would turn back into exactly the same bytes. */
function asText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
