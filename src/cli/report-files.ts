import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { CommandError } from "./output.ts";
import { counted } from "./text.ts";

/** A file that belongs to a report. */
export interface SourceFile {
  /** Relative to where index.html is, with slashes. */
  name: string;
  bytes: Uint8Array;
}

export interface Collected {
  files: SourceFile[];
  /** Names of what was left out because it is hidden. */
  hidden: string[];
}

const INDEX = "index.html";
const FILE_NAME = /^[A-Za-z0-9._-]+$/;

/**
 * What the arguments of the command name: a directory, one HTML file, `-` for one on standard input, or files and
 * patterns. Files below directories are taken only when they are going to be flattened.
 */
export async function collectFiles(paths: readonly string[], isFlattened: boolean): Promise<Collected> {
  const [first = "", ...others] = paths;
  if (others.length > 0 || (/[*?[{]/.test(first) && !(await exists(first)))) return readMatching(paths, isFlattened);
  if (first === "-") return { files: [{ name: INDEX, bytes: await Bun.stdin.bytes() }], hidden: [] };
  const found = await stat(first).catch(() => undefined);
  if (found === undefined) throw new CommandError(`There is no file or directory "${first}".`);
  if (!found.isDirectory()) return { files: [{ name: INDEX, bytes: await readBytes(first) }], hidden: [] };
  return readDirectory(first, isFlattened);
}

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined;

async function readDirectory(directory: string, isFlattened: boolean): Promise<Collected> {
  const hidden: string[] = [];
  const names = await walk(directory, "", { directory, isFlattened, hidden });
  if (!names.includes(INDEX)) throw new CommandError(`"${directory}" contains no index.html.`);
  if (!isFlattened) names.forEach(checkName(directory));
  return { files: await readAll(names.sort().map((name) => ({ name, path: join(directory, name) }))), hidden };
}

interface Walk {
  directory: string;
  isFlattened: boolean;
  hidden: string[];
}

async function walk(directory: string, prefix: string, { isFlattened, hidden, ...whole }: Walk): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readdir(directory)) {
    if (name.startsWith(".")) hidden.push(prefix + name);
    else if (!(await stat(join(directory, name)).catch(() => undefined))?.isDirectory()) names.push(prefix + name);
    else if (isFlattened) {
      names.push(...(await walk(join(directory, name), `${prefix}${name}/`, { isFlattened, hidden, ...whole })));
    } else throw unsupportedDirectory(whole.directory, name);
  }
  return names;
}

const unsupportedDirectory = (directory: string, name: string) =>
  new CommandError(
    `"${directory}" contains the directory "${name}"; a report is a flat set of files beside index.html. ` +
      "--flatten publishes its files beside index.html and adapts the references.",
  );

const checkName = (directory: string) => (name: string) => {
  if (FILE_NAME.test(name)) return;
  throw new CommandError(
    `"${directory}" contains "${name}"; file names may hold letters, digits, dots, underscores and hyphens alone. ` +
      "--flatten gives it another name and adapts the references.",
  );
};

/** Files that were named one by one or by patterns, which a shell may have expanded or not. */
async function readMatching(patterns: readonly string[], isFlattened: boolean): Promise<Collected> {
  const paths = [...new Set((await Promise.all(patterns.map(expand))).flat())].sort();
  const index = paths.filter((path) => path === INDEX || path.endsWith(`${sep}${INDEX}`)).sort(byDepth)[0];
  if (index === undefined) throw new CommandError(`None of these ${counted(paths.length, "file")} is index.html.`);
  const base = dirname(index);
  const named = paths.map((path) => ({ path, name: relative(base, path).split(sep).join("/") }));
  const outside = named.find(({ name }) => name.startsWith("../"));
  if (outside !== undefined) throw new CommandError(`"${outside.path}" is not in the directory of "${index}".`);
  const inner = named.find(({ name }) => name.includes("/"));
  if (inner !== undefined && !isFlattened)
    throw unsupportedDirectory(base, inner.name.slice(0, inner.name.indexOf("/")));
  if (!isFlattened) named.map(({ name }) => name).forEach(checkName(base));
  return { files: await readAll(named), hidden: [] };
}

const byDepth = (a: string, b: string) => a.split(sep).length - b.split(sep).length;

async function expand(pattern: string): Promise<string[]> {
  const found = await stat(pattern).catch(() => undefined);
  if (found?.isDirectory()) {
    throw new CommandError(`"${pattern}" is a directory: publish it alone, or name files.`);
  }
  if (found !== undefined) return [join(pattern)];
  const paths = await Array.fromAsync(new Bun.Glob(pattern).scan({ absolute: pattern.startsWith(sep) }));
  if (paths.length === 0) throw new CommandError(`There is no file "${pattern}".`);
  return paths.map((path) => join(path));
}

const readAll = (named: readonly { path: string; name: string }[]): Promise<SourceFile[]> =>
  Promise.all(named.map(async ({ path, name }) => ({ name, bytes: await readBytes(path) })));

function readBytes(path: string): Promise<Uint8Array> {
  return readFile(path).catch((error: Error) => {
    throw new CommandError(`"${path}" cannot be read: ${error.message}.`);
  });
}
