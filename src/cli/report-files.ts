import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { CommandError } from "./output.ts";
import { placeBelow } from "./roots.ts";
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
  const strays: string[] = [];
  const root = await realpath(directory);
  const names = await walk(directory, "", { directory, root, isFlattened, hidden, strays });
  refuseStrays(directory, strays);
  if (!names.includes(INDEX)) throw new CommandError(`"${directory}" contains no index.html.`);
  if (!isFlattened) names.forEach(checkName(directory));
  return { files: await readAll(names.sort().map((name) => ({ name, path: join(directory, name) }))), hidden };
}

interface Walk {
  directory: string;
  /** The directory without links. */
  root: string;
  isFlattened: boolean;
  hidden: string[];
  /** Links that lead out of the directory, to hidden files or in a circle. */
  strays: string[];
}

async function walk(directory: string, prefix: string, whole: Walk): Promise<string[]> {
  const names: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const [name, path] = [prefix + entry.name, join(directory, entry.name)];
    if (entry.name.startsWith(".")) whole.hidden.push(name);
    else if (entry.isSymbolicLink() && (await isStray(path, whole.root)))
      whole.strays.push(await describeLink(name, path));
    else if (!(await stat(path).catch(() => undefined))?.isDirectory()) names.push(name);
    else if (whole.isFlattened) names.push(...(await walk(path, `${name}/`, whole)));
    else throw unsupportedDirectory(whole.directory, entry.name);
  }
  return names;
}

/** Whether what a link leads to isn't the report's own. A link to nothing is reported when it's read. */
async function isStray(path: string, root: string): Promise<boolean> {
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined) return false;
  const leadsBack = `${await realpath(dirname(path))}${sep}`.startsWith(`${target}${sep}`);
  return leadsBack || placeBelow([root], target) !== "inside";
}

const describeLink = async (name: string, path: string) => `${name} -> ${await realpath(path)}`;

function refuseStrays(directory: string, strays: readonly string[]): void {
  if (strays.length === 0) return;
  throw new CommandError(
    `"${directory}" has ${counted(strays.length, "link")} to what isn't part of it: ${strays.toSorted().join(", ")}. ` +
      "Copy the files into the directory, or remove the links.",
  );
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
  const root = await realpath(base);
  const strays = await Promise.all(
    named.map(async ({ name, path }) => ((await isStray(path, root)) ? [await describeLink(name, path)] : [])),
  );
  refuseStrays(base, strays.flat());
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
