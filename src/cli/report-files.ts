import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { reasonOf } from "./failures.ts";
import { CommandError } from "./output.ts";
import { placeBelow } from "./roots.ts";
import { counted } from "./text.ts";
import { checkCount, checkSizes } from "./upload-limits.ts";

/** A file of a report to publish. */
export interface SourceFile {
  /** Path relative to index.html, with slashes. */
  name: string;
  bytes: Uint8Array;
}

export interface CollectedFiles {
  files: SourceFile[];
  /** Hidden files and directories that were skipped. */
  hidden: string[];
}

export const INDEX_FILE = "index.html";
const FILE_NAME = /^[A-Za-z0-9._-]+$/;

/**
 * Reads the files to publish: those of a directory, one HTML file, HTML on standard input (`-`), or files and patterns.
 * Includes files in subdirectories only if `isFlattened`. Throws `CommandError`.
 */
export async function collectFiles(paths: readonly string[], isFlattened: boolean): Promise<CollectedFiles> {
  const [first = "", ...others] = paths;
  if (others.length > 0 || (/[*?[{]/.test(first) && !(await exists(first)))) return readMatching(paths, isFlattened);
  if (first === "-") return { files: [await readInput()], hidden: [] };
  const found = await stat(first).catch(() => undefined);
  if (found === undefined) throw new CommandError(`No such file or directory: "${first}".`);
  if (!found.isDirectory()) return { files: await readAll([{ name: INDEX_FILE, path: first }]), hidden: [] };
  return readDirectory(first, isFlattened);
}

async function readInput(): Promise<SourceFile> {
  const bytes = await Bun.stdin.bytes();
  checkSizes([{ name: INDEX_FILE, size: bytes.length }]);
  return { name: INDEX_FILE, bytes };
}

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined;

async function readDirectory(directory: string, isFlattened: boolean): Promise<CollectedFiles> {
  const hidden: string[] = [];
  const invalidLinks: string[] = [];
  const root = await realpath(directory);
  const names = await walk(directory, "", { directory, root, isFlattened, hidden, invalidLinks });
  refuseLinks(directory, invalidLinks);
  if (!names.includes(INDEX_FILE)) {
    throw new CommandError(`"${directory}" contains no index.html. ${adviseOnIndex(directory, names)}`);
  }
  if (!isFlattened) names.forEach(checkName(directory));
  return { files: await readAll(names.sort().map((name) => ({ name, path: join(directory, name) }))), hidden };
}

/** Returns what to do in a directory without index.html. */
function adviseOnIndex(directory: string, names: readonly string[]): string {
  const [page, ...others] = names.filter((name) => /^[^/]+\.html?$/i.test(name)).sort();
  if (page === undefined) return "Every report needs one.";
  return others.length === 0
    ? `Rename ${page} to that, or run vitrine publish ${join(directory, page)} to publish it alone.`
    : `Rename the page that opens first, such as ${page}.`;
}

interface Walk {
  directory: string;
  /** The real path of the directory. */
  root: string;
  isFlattened: boolean;
  hidden: string[];
  /** Links that lead out of the directory, to hidden files or in a circle. */
  invalidLinks: string[];
}

async function walk(directory: string, prefix: string, state: Walk): Promise<string[]> {
  const names: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const [name, path] = [prefix + entry.name, join(directory, entry.name)];
    if (entry.name.startsWith(".")) state.hidden.push(name);
    else if (entry.isSymbolicLink() && (await leadsOutside(path, state.root)))
      state.invalidLinks.push(await describeLink(name, path));
    else if (!(await stat(path).catch(() => undefined))?.isDirectory()) names.push(name);
    else if (state.isFlattened) names.push(...(await walk(path, `${name}/`, state)));
    else throw unsupportedDirectory(state.directory, entry.name);
  }
  return names;
}

/** Returns whether a link leads out of the report or back to a parent. A broken link fails later, when it is read. */
async function leadsOutside(path: string, root: string): Promise<boolean> {
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined) return false;
  const leadsBack = `${await realpath(dirname(path))}${sep}`.startsWith(`${target}${sep}`);
  return leadsBack || placeBelow([root], target) !== "inside";
}

const describeLink = async (name: string, path: string) => `${name} -> ${await realpath(path)}`;

function refuseLinks(directory: string, links: readonly string[]): void {
  if (links.length === 0) return;
  throw new CommandError(
    `"${directory}" contains ${counted(links.length, "link")} to files outside of the report: ${links.toSorted().join(", ")}. ` +
      "Copy the files into the directory, or remove the links.",
  );
}

const unsupportedDirectory = (directory: string, name: string) =>
  new CommandError(
    `"${directory}" contains the directory "${name}", but a report is a flat set of files. ` +
      "Use --flatten to move its files beside index.html and update the references.",
  );

const checkName = (directory: string) => (name: string) => {
  if (FILE_NAME.test(name)) return;
  throw new CommandError(
    `"${directory}" contains "${name}", but file names can have only letters, digits, dots, underscores and hyphens. ` +
      "Use --flatten to rename the file and update the references.",
  );
};

/** Reads files given one by one or by patterns, whether or not the shell has expanded them. */
async function readMatching(patterns: readonly string[], isFlattened: boolean): Promise<CollectedFiles> {
  const paths = [...new Set((await Promise.all(patterns.map(expand))).flat())].sort();
  const index = paths.filter((path) => path === INDEX_FILE || path.endsWith(`${sep}${INDEX_FILE}`)).sort(byDepth)[0];
  if (index === undefined)
    throw new CommandError(`None of the ${counted(paths.length, "file")} is index.html. Every report needs one.`);
  const base = dirname(index);
  const named = paths.map((path) => ({ path, name: relative(base, path).split(sep).join("/") }));
  const outside = named.find(({ name }) => name.startsWith("../"));
  if (outside !== undefined)
    throw new CommandError(
      `"${outside.path}" is outside of the directory of "${index}". Publish only files in that directory.`,
    );
  const inner = named.find(({ name }) => name.includes("/"));
  if (inner !== undefined && !isFlattened)
    throw unsupportedDirectory(base, inner.name.slice(0, inner.name.indexOf("/")));
  if (!isFlattened) named.map(({ name }) => name).forEach(checkName(base));
  const root = await realpath(base);
  const invalidLinks = await Promise.all(
    named.map(async ({ name, path }) => ((await leadsOutside(path, root)) ? [await describeLink(name, path)] : [])),
  );
  refuseLinks(base, invalidLinks.flat());
  return { files: await readAll(named), hidden: [] };
}

const byDepth = (a: string, b: string) => a.split(sep).length - b.split(sep).length;

async function expand(pattern: string): Promise<string[]> {
  const found = await stat(pattern).catch(() => undefined);
  if (found?.isDirectory()) {
    throw new CommandError(`"${pattern}" is a directory. Publish it on its own, or pass only files.`);
  }
  if (found !== undefined) return [join(pattern)];
  const paths = await Array.fromAsync(new Bun.Glob(pattern).scan({ absolute: pattern.startsWith(sep) }));
  if (paths.length === 0) throw new CommandError(`No such file: "${pattern}".`);
  return paths.map((path) => join(path));
}

/** Reads the files, after checking their number and sizes, because they may be more than fit into memory. */
async function readAll(named: readonly { path: string; name: string }[]): Promise<SourceFile[]> {
  checkCount(named);
  checkSizes(
    await Promise.all(named.map(async ({ path, name }) => ({ name, size: (await readable(path, stat(path))).size }))),
  );
  return Promise.all(named.map(async ({ path, name }) => ({ name, bytes: await readable(path, readFile(path)) })));
}

const readable = <Result>(path: string, reading: Promise<Result>): Promise<Result> =>
  reading.catch((error: Error) => {
    throw new CommandError(`Can't read "${path}": ${reasonOf(error)}.`);
  });
