import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { downloadFileAddress, reportAddress } from "../client/lazy-routes.ts";
import { isDiskError } from "./failures.ts";
import { begin, type ServerOptions, type Work, withExamples } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { createProgressBar, inUnits } from "./progress.ts";
import { findCode, parseReference, wordOf } from "./references.ts";
import type { Surroundings } from "./surroundings.ts";
import { counted } from "./text.ts";

interface GetOptions extends ServerOptions {
  output?: string;
  force?: boolean;
}

interface ListedFile {
  path: string;
  size: number;
  /** Hexadecimal; servers before there was one don't send it. */
  sha256?: string;
}

/** Files on their way at once. */
const AT_ONCE = 4;
/** A name that leads nowhere but into the directory it is put into. */
const FILE_NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/;

export function getCommand(surroundings: Surroundings): Command {
  const command = new Command("get")
    .description("Download a report, or one of its files, byte by byte as it was published.")
    .argument("<name or code>", "a name for its current version, name@3 for its third, or a code")
    .argument("[file]", "this file alone")
    .option("-o, --output <path>", "where to put it; - for standard output (default: the name, in this directory)")
    .option("-f, --force", "write over files that are there")
    .option("-q, --quiet", "say nothing but errors")
    .option("--url <address>", "address of the server (default: VITRINE_URL, vitrine login, http://localhost:4000)")
    .action((text: string, file: string | undefined, options: GetOptions) => get(text, file, options, surroundings));
  return withExamples(command, "vitrine get weekly-sales", "vitrine get weekly-sales@3 data.json -o -");
}

async function get(text: string, file: string | undefined, options: GetOptions, surroundings: Surroundings) {
  const work = await begin(surroundings, options);
  const code = await findCode(work.session, text);
  const files = await work.session.download(reportAddress, { code }, readFileList);
  if (file !== undefined) return getFile(code, findFile(files, file), options, work);
  if (options.output === "-") return getFile(code, onlyFile(files), options, work);
  const directory = options.output ?? wordOf(parseReference(text)).replace("@", "-");
  if (!options.force) await refuseFilled(directory);
  await mkdir(directory, { recursive: true });
  await getAll(code, files, directory, work);
}

/** The part of a description that is needed here; its schema takes longer to make than the files to come. */
async function readFileList(response: Response): Promise<ListedFile[]> {
  const report: unknown = await response.json();
  const files: unknown = typeof report === "object" && report !== null && "files" in report ? report.files : undefined;
  if (Array.isArray(files) && files.every(isListedFile)) return files;
  throw new CommandError(`What answers at ${new URL(response.url).origin} is no Vitrine server. Is VITRINE_URL right?`);
}

const isListedFile = (file: unknown): file is ListedFile =>
  typeof file === "object" &&
  file !== null &&
  "path" in file &&
  typeof file.path === "string" &&
  "size" in file &&
  typeof file.size === "number" &&
  (!("sha256" in file) || typeof file.sha256 === "string");

function findFile(files: readonly ListedFile[], path: string): ListedFile {
  const file = files.find((candidate) => candidate.path === path);
  if (file === undefined) throw new CommandError("There is no such report or file.");
  return file;
}

function onlyFile(files: readonly ListedFile[]): ListedFile {
  const [first, ...others] = files;
  if (first !== undefined && others.length === 0) return first;
  const message = `The report has ${files.length} files; standard output takes one. Name it after the report.`;
  throw new CommandError(message, EXIT_CODES.usage);
}

async function refuseFilled(directory: string): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new CommandError(`"${directory}" cannot be used: ${error.message}.`);
  });
  if (names.length > 0) throw new CommandError(`"${directory}" is not empty. Say -o for another place, or --force.`);
}

async function getAll(
  code: string,
  files: readonly ListedFile[],
  directory: string,
  { session, output }: Work,
): Promise<void> {
  const odd = files.find(({ path }) => !FILE_NAME.test(path));
  if (odd !== undefined)
    throw new CommandError(`The server names a file that cannot be written: ${JSON.stringify(odd.path)}.`);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const bar = output.isTerminal ? createProgressBar("Downloading", total, output.draw) : undefined;
  const waiting = [...files];
  async function work(): Promise<void> {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const path = join(directory, file.path);
      await session
        .download(downloadFileAddress, { code, path: file.path }, (response) =>
          save(response, path, file, bar && ((bytes) => bar.add(bytes))),
        )
        .catch(naming(file));
    }
  }
  const stopOthers = (error: unknown): never => {
    waiting.length = 0;
    throw error;
  };
  try {
    // Each ends before the command does, so that none leaves half a file behind.
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => work().catch(stopOthers)));
    const failed = ended.find((each) => each.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  } finally {
    bar?.clear();
  }
  output.note(`Wrote ${counted(files.length, "file")} (${inUnits(total)}) to ${directory}`);
}

async function getFile(code: string, file: ListedFile, options: GetOptions, { session, output }: Work): Promise<void> {
  const query = { code, path: file.path };
  if (options.output === "-") {
    const bytes = await session
      .download(downloadFileAddress, query, (response) => response.bytes())
      .catch(naming(file));
    const check = createCheck(file);
    check.update(bytes);
    check.end();
    return output.write(bytes);
  }
  const path = await placeFor(file.path, options);
  let bar: ReturnType<typeof createProgressBar> | undefined;
  await session
    .download(downloadFileAddress, query, (response) => {
      const total = Number(response.headers.get("content-length") ?? 0);
      const shown = output.isTerminal && total > 0 ? createProgressBar("Downloading", total, output.draw) : undefined;
      bar = shown;
      return save(response, path, file, shown && ((bytes) => shown.add(bytes)));
    })
    .catch(naming(file))
    .finally(() => bar?.clear());
  output.note(`Wrote ${path}`);
}

async function placeFor(file: string, { output, force }: GetOptions): Promise<string> {
  const found = output === undefined ? undefined : await stat(output).catch(() => undefined);
  if (output === undefined && !FILE_NAME.test(file)) throw new CommandError("There is no such file in the report.");
  const path = output === undefined ? file : found?.isDirectory() ? join(output, file) : output;
  if (!force && (await stat(path).catch(() => undefined)) !== undefined) {
    throw new CommandError(`"${path}" is there already. Say -o for another place, or --force.`);
  }
  return path;
}

/** Says in a failure which file it is about. */
const naming =
  ({ path }: ListedFile) =>
  (error: unknown): never => {
    if (!(error instanceof CommandError) || error.message.includes(`"${path}"`)) throw error;
    throw new CommandError(`"${path}": ${error.message}`, error.exitCode);
  };

/** Compares what comes with what was published. */
function createCheck({ path, size, sha256 }: ListedFile) {
  const hash = sha256 === undefined ? undefined : new Bun.SHA256();
  let received = 0;
  return {
    update(bytes: Uint8Array): void {
      received += bytes.length;
      hash?.update(bytes);
    },
    /** Throws `CommandError` where they differ. */
    end(): void {
      if (received === size && hash?.digest("hex") === sha256) return;
      throw new CommandError(`"${path}" isn't what was published: its SHA-256 differs. Nothing was written.`);
    },
  };
}

/** Nothing is at `path` before all of it is, and is what was published. */
async function save(
  response: Response,
  path: string,
  file: ListedFile,
  onBytes: ((count: number) => void) | undefined,
): Promise<void> {
  const temporary = `${path}.${process.pid}.part`;
  try {
    await write(response, temporary, file, onBytes);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    if (!isDiskError(error)) throw error;
    throw new CommandError(`"${path}" cannot be written: ${error.message}.`);
  }
}

async function write(
  response: Response,
  path: string,
  file: ListedFile,
  onBytes: ((count: number) => void) | undefined,
): Promise<void> {
  const handle = await open(path, "w");
  const check = createCheck(file);
  try {
    for await (const chunk of response.body ?? []) {
      for (let sent = 0; sent < chunk.length; ) sent += (await handle.write(chunk, sent)).bytesWritten;
      check.update(chunk);
      onBytes?.(chunk.length);
    }
  } finally {
    await handle.close();
  }
  check.end();
}
