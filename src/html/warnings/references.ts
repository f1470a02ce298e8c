const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const PLAIN_NAME = /^[\w-][\w.-]*$/;

const LOCAL_FILE = /^\s*(?:file:|[a-z]:[\\/])/i;
const LOCAL_HOST = /^\s*(?:https?:)?\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/?#]|\s*$)/i;
const INSECURE = /^\s*http:/i;

/** Longer references, mostly data: URLs, name no file. */
const MAX_REFERENCE_LENGTH = 2_000;

/** The target of a reference in an uploaded file; `fileName` is the last part of its path. */
export interface Target {
  readonly kind: "elsewhere" | "rooted" | "outside" | "subdirectory" | "file";
  readonly fileName: string;
}

const ELSEWHERE: Target = { kind: "elsewhere", fileName: "" };

/**
 * Resolves a reference against the flat files of an upload (URL standard, 4.4 "URL parsing"). Returns "elsewhere" for other
 * hosts and for fragments of the same document.
 */
export function resolveReference(reference: string): Target {
  if (reference.length > MAX_REFERENCE_LENGTH) return ELSEWHERE;
  if (PLAIN_NAME.test(reference)) return { kind: "file", fileName: reference };
  const url = reference.trim().replace(/[\t\n\r]/g, "");
  if (url === "" || url.startsWith("#") || url.startsWith("?") || SCHEME.test(url)) return ELSEWHERE;
  const path = url.replace(/[?#].*/s, "").replaceAll("\\", "/");
  return path.startsWith("//") ? ELSEWHERE : resolvePath(path);
}

function resolvePath(path: string): Target {
  const parts = path.split("/").map(decode);
  const fileName = parts.at(-1) ?? "";
  if (path.startsWith("/")) return { kind: "rooted", fileName };
  const resolved = withoutDots(parts);
  if (resolved === undefined) return { kind: "outside", fileName };
  return { kind: resolved.length > 1 ? "subdirectory" : "file", fileName: resolved.at(-1) ?? "" };
}

/** Returns undefined if ".." leads out of the directory. */
function withoutDots(parts: readonly string[]): string[] | undefined {
  const resolved: string[] = [];
  for (const part of parts) {
    if (part === ".") continue;
    if (part !== "..") resolved.push(part);
    else if (resolved.pop() === undefined) return undefined;
  }
  return resolved;
}

function decode(part: string): string {
  if (!part.includes("%")) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns why a reference does not work, or undefined if it does. Pages load references; readers follow links. */
export function findReferenceProblem(
  reference: string,
  use: "loaded" | "followed",
  exists: (fileName: string) => boolean,
): "local file" | "insecure" | "missing" | "rooted" | "outside" | "subdirectory" | undefined {
  if (reference.startsWith("#") || reference.length > MAX_REFERENCE_LENGTH) return undefined;
  const { kind, fileName } = resolveReference(reference);
  if (kind === "file") return fileName === "" || exists(fileName) ? undefined : "missing";
  if (kind !== "elsewhere") return kind;
  if (LOCAL_FILE.test(reference) || (use === "loaded" && LOCAL_HOST.test(reference))) return "local file";
  return use === "loaded" && INSECURE.test(reference) ? "insecure" : undefined;
}
