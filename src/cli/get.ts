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
  if (file !== undefined) return getFile(code, file, options, work);
  const files = await work.session.download(reportAddress, { code }, readFileList);
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
  typeof file.size === "number";

function onlyFile(files: readonly { path: string }[]): string {
  const [first, ...others] = files;
  if (first !== undefined && others.length === 0) return first.path;
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
      await session.download(downloadFileAddress, { code, path: file.path }, (response) =>
        save(response, path, bar && ((bytes) => bar.add(bytes))),
      );
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    bar?.clear();
  }
  output.note(`Wrote ${counted(files.length, "file")} (${inUnits(total)}) to ${directory}`);
}

async function getFile(code: string, file: string, options: GetOptions, { session, output }: Work): Promise<void> {
  const query = { code, path: file };
  if (options.output === "-") {
    const bytes = await session.download(downloadFileAddress, query, (response) => response.bytes());
    return output.write(bytes);
  }
  const path = await placeFor(file, options);
  let bar: ReturnType<typeof createProgressBar> | undefined;
  await session
    .download(downloadFileAddress, query, (response) => {
      const total = Number(response.headers.get("content-length") ?? 0);
      const shown = output.isTerminal && total > 0 ? createProgressBar("Downloading", total, output.draw) : undefined;
      bar = shown;
      return save(response, path, shown && ((bytes) => shown.add(bytes)));
    })
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

/** Nothing is at `path` before all of it is. */
async function save(response: Response, path: string, onBytes: ((count: number) => void) | undefined): Promise<void> {
  const temporary = `${path}.${process.pid}.part`;
  try {
    if (onBytes === undefined) await Bun.write(temporary, response, { createPath: false });
    else await writeCounted(response, temporary, onBytes);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    if (!isDiskError(error)) throw error;
    throw new CommandError(`"${path}" cannot be written: ${error.message}.`);
  }
}

async function writeCounted(response: Response, path: string, onBytes: (count: number) => void): Promise<void> {
  const handle = await open(path, "w");
  try {
    for await (const chunk of response.body ?? []) {
      await handle.write(chunk);
      onBytes(chunk.length);
    }
  } finally {
    await handle.close();
  }
}
