import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import pLimit from "p-limit";
import { downloadFileAddress } from "../client/lazy-routes.ts";
import { parseReferenceText } from "../client/references.ts";
import type { CliContext } from "./cli-context.ts";
import { openComments } from "./comments-file.ts";
import { isDiskError, reasonOf } from "./failures.ts";
import { type ListedFile, listFiles } from "./listed-files.ts";
import { type Connection, connect, type ServerOptions, withConnectionOptions, withExamples } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { createTransferProgress } from "./progress.ts";
import { findCode } from "./references.ts";
import { counted, inUnits } from "./text.ts";

interface GetOptions extends ServerOptions {
  output?: string;
  force?: boolean;
  withComments?: boolean;
}

const CONCURRENT_DOWNLOADS = 4;
/** Files that an error lists. */
const MAX_NAMED = 10;
/** Matches names that cannot lead out of a directory. */
const FILE_NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/;

export function getCommand(context: CliContext): Command {
  const command = withConnectionOptions(
    new Command("get")
      .description("Download a report or one of its files, exactly as published.")
      .argument("<report>", "name for the current version, name@3 for version 3, the code of a version, or a link")
      .argument("[file]", "download only this file")
      .option(
        "-o, --output <path>",
        "where to save it; - writes to standard output (default: the name, in this directory)",
      )
      .option("--with-comments", "save the comments too, as JSON beside the directory")
      .option("-f, --force", "overwrite existing files"),
  );
  command.action((text: string, file: string | undefined, options: GetOptions) => get(text, file, options, context));
  return withExamples(
    command,
    "vitrine get weekly-sales",
    "vitrine get weekly-sales --with-comments",
    "vitrine get weekly-sales@3 data.json -o -",
  );
}

async function get(text: string, file: string | undefined, options: GetOptions, context: CliContext) {
  if (options.withComments && (file !== undefined || options.output === "-")) {
    throw new CommandError(
      "--with-comments saves comments beside a directory, so leave out the file.",
      EXIT_CODES.usage,
    );
  }
  const connection = await connect(context, options);
  const code = await findCode(connection.session, text);
  const files = await listFiles(connection.session, code);
  if (file !== undefined) return getFile(code, findFile(files, file), options, connection);
  if (options.output === "-") return getFile(code, onlyFile(files), options, connection);
  const directory = options.output ?? directoryFor(text);
  if (!options.force) await requireEmpty(directory);
  const comments = options.withComments ? await openComments(directory, options) : undefined;
  await mkdir(directory, { recursive: true }).catch((error: Error) => {
    throw new CommandError(`Can't create "${directory}": ${reasonOf(error)}.`);
  });
  await getAll(code, files, directory, connection);
  await comments?.save(code, connection);
}

/** Returns the name of the directory for a report: `sales`, or `sales-3` for `sales@3`. */
function directoryFor(text: string): string {
  const { word, versionNo } = parseReferenceText(text);
  return versionNo === undefined ? word : `${word}-${versionNo}`;
}

function findFile(files: readonly ListedFile[], path: string): ListedFile {
  const file = files.find((candidate) => candidate.path === path);
  if (file === undefined) {
    const some = files.slice(0, MAX_NAMED).map((one) => one.path);
    const list = [...some, ...(files.length > MAX_NAMED ? ["…"] : [])].join(", ");
    throw new CommandError(`The report has no file "${path}". Files: ${list}.`);
  }
  return file;
}

function onlyFile(files: readonly ListedFile[]): ListedFile {
  const [first, ...others] = files;
  if (first !== undefined && others.length === 0) return first;
  const message = `The report has ${files.length} files, and only one fits on standard output. Add the name of a file.`;
  throw new CommandError(message, EXIT_CODES.usage);
}

async function requireEmpty(directory: string): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new CommandError(`Can't use "${directory}": ${reasonOf(error)}.`);
  });
  if (names.length > 0) {
    throw new CommandError(`"${directory}" is not empty. Use -o for another directory, or --force to overwrite files.`);
  }
}

async function getAll(
  code: string,
  files: readonly ListedFile[],
  directory: string,
  { session, output }: Connection,
): Promise<void> {
  const invalid = files.find(({ path }) => !FILE_NAME.test(path));
  if (invalid !== undefined) {
    throw new CommandError(`The server sent the invalid file name ${JSON.stringify(invalid.path)}.`);
  }
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const progress = createTransferProgress(output, "Downloading", total);
  const limit = pLimit({ concurrency: CONCURRENT_DOWNLOADS, rejectOnClear: true });
  const download = async (file: ListedFile) => {
    const path = join(directory, file.path);
    const query = { code, path: file.path };
    try {
      await session.download(downloadFileAddress, query, (response) => save(response, path, file, progress.add));
    } catch (error) {
      limit.clearQueue();
      throw withFileName(error, file);
    }
  };
  // Waits for every download to stop, so that none leaves a partial file behind.
  const results = await Promise.allSettled(files.map((file) => limit(download, file))).finally(progress.end);
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  output.note(`Saved ${counted(files.length, "file")} (${inUnits(total)}) to ${directory}`);
}

async function getFile(
  code: string,
  file: ListedFile,
  options: GetOptions,
  { session, output }: Connection,
): Promise<void> {
  const query = { code, path: file.path };
  const download = <Result>(consume: (response: Response) => Promise<Result>): Promise<Result> =>
    session.download(downloadFileAddress, query, consume).catch((error) => {
      throw withFileName(error, file);
    });
  if (options.output === "-") {
    const bytes = await download((response) => response.bytes());
    const check = createCheck(file);
    check.update(bytes);
    check.end();
    return output.write(bytes);
  }
  const path = await choosePath(file.path, options);
  const progress = createTransferProgress(output, "Downloading", file.size);
  await download((response) => {
    progress.show(0);
    return save(response, path, file, progress.add);
  }).finally(progress.end);
  output.note(`Saved ${path}`);
}

async function choosePath(file: string, { output, force }: GetOptions): Promise<string> {
  const found = output === undefined ? undefined : await stat(output).catch(() => undefined);
  if (output === undefined && !FILE_NAME.test(file)) throw new CommandError(`The report has no file "${file}".`);
  const path = output === undefined ? file : found?.isDirectory() ? join(output, file) : output;
  if (!force && (await stat(path).catch(() => undefined)) !== undefined) {
    throw new CommandError(`"${path}" already exists. Use -o for another path, or --force to overwrite it.`);
  }
  return path;
}

/** Returns a `CommandError` that names the file it is about, and any other error unchanged. */
function withFileName(error: unknown, { path }: ListedFile): unknown {
  if (!(error instanceof CommandError) || error.message.includes(`"${path}"`)) return error;
  return new CommandError(`"${path}": ${error.message}`, error.exitCode);
}

/** Compares a download with the size and digest of the published file. */
function createCheck({ path, size, sha256 }: ListedFile) {
  const hash = sha256 === undefined ? undefined : new Bun.SHA256();
  let received = 0;
  return {
    update(bytes: Uint8Array): void {
      received += bytes.length;
      hash?.update(bytes);
    },
    /** Throws `CommandError` if the download differs. */
    end(): void {
      if (received === size && hash?.digest("hex") === sha256) return;
      throw new CommandError(`"${path}" was not saved, because its SHA-256 differs from that of the published file.`);
    },
  };
}

/** Saves a download at `path` once it is complete and correct. */
async function save(
  response: Response,
  path: string,
  file: ListedFile,
  onBytes: (count: number) => void,
): Promise<void> {
  const temporary = `${path}.${process.pid}.part`;
  try {
    await write(response, temporary, file, onBytes);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    if (!isDiskError(error)) throw error;
    throw new CommandError(`Can't write "${path}": ${reasonOf(error)}.`);
  }
}

async function write(
  response: Response,
  path: string,
  file: ListedFile,
  onBytes: (count: number) => void,
): Promise<void> {
  const handle = await open(path, "w");
  const check = createCheck(file);
  try {
    for await (const chunk of response.body ?? []) {
      for (let sent = 0; sent < chunk.length; ) sent += (await handle.write(chunk, sent)).bytesWritten;
      check.update(chunk);
      onBytes(chunk.length);
    }
  } finally {
    await handle.close();
  }
  check.end();
}
