/** Returns the path that an address in a page means: decoded, without its query and fragment. */
export const pathOfAddress = (from: string, address: string): string =>
  resolvePath(from, decoded(address.replace(/[?#].*$/s, "")));

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** Returns a relative path without `.` and `..`, except for leading `..` that lead out of the directory. */
export function normalizePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}

/** Returns the path that a reference in a file means. */
export const resolvePath = (from: string, reference: string): string =>
  normalizePath(`${directoryOf(from)}/${reference}`);

/** Returns a path as files in a directory refer to it. */
export function relativePath(directory: string, path: string): string {
  const from = directory === "" ? [] : directory.split("/");
  const to = path.split("/");
  let common = 0;
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common++;
  return [...from.slice(common).map(() => ".."), ...to.slice(common)].join("/");
}

/** Returns the directory of a path; empty at the top. */
export const directoryOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 0));

/** Returns a name before and from its last dot; names such as `.hidden` have no extension. */
export function splitExtension(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? { stem: name.slice(0, dot), extension: name.slice(dot) } : { stem: name, extension: "" };
}
