import { withStandIn } from "../../html/stand-in.ts";
import { invalid, tooLarge } from "../model/failure.ts";
import { digestOf, type FileEntry } from "../model/files.ts";
import { FILE_BYTES, FILE_PATH_CHARACTERS, FILES_PER_UPLOAD } from "../model/limits.ts";
import { FILE_PATH_PATTERN, INDEX_FILE } from "../model/names.ts";
import { quote } from "../model/quote.ts";
import type { StorageMode } from "../model/storage-mode.ts";
import { canHaveStandIn, standInPath } from "./stand-in.ts";

/** One file of an upload as a client sends it. */
export interface UploadedFile {
  path: string;
  /** Bytes are taken as they are; text is decoded by `encoding`. */
  content: string | Uint8Array;
  encoding?: "utf-8" | "base64" | undefined;
}
/** All files of an upload, joined into one object. */
export interface FilePackage {
  content: Uint8Array<ArrayBuffer>;
  files: FileEntry[];
  /**
   * Copies of pages that have browser storage in memory. They follow the files, and browsers get them instead of the pages;
   * undefined if the upload doesn't ask for storage.
   */
  standIns: FileEntry[] | undefined;
}
/** Throws `Invalid` unless the paths are distinct bare file names that include index.html. */
function checkPaths(paths: readonly string[]): void {
  if (paths.length > FILES_PER_UPLOAD) throw invalid(`files must have at most ${FILES_PER_UPLOAD} entries.`);
  const seen = new Set<string>();
  for (const [position, path] of paths.entries()) {
    if (path.length > FILE_PATH_CHARACTERS) {
      throw invalid(`files[${position}].path has ${path.length} characters. The limit is ${FILE_PATH_CHARACTERS}.`);
    }
    if (!isBareFileName(path)) {
      throw invalid(
        `files[${position}].path ${quote(path)} isn't a valid file name. Use letters, digits, dots, underscores and hyphens, without directories.`,
      );
    }
    if (seen.has(path)) throw invalid(`files[${position}].path repeats "${path}". Give each file its own name.`);
    seen.add(path);
  }
  if (!seen.has(INDEX_FILE)) throw invalid("files has no index.html. Add an entry with that path.");
}
function isBareFileName(path: string): boolean {
  return FILE_PATH_PATTERN.test(path) && path !== "." && path !== "..";
}
/** Decodes, checks and joins the files of an upload. Throws `Invalid` or `TooLarge`, which name the field. */
export function packFiles(files: readonly UploadedFile[], storage: StorageMode = "none"): FilePackage {
  checkPaths(files.map((file) => file.path));
  const decoded = files.map((file, position) => ({ path: file.path, bytes: decodeFile(file, position) }));
  const pages = storage === "memory" ? decoded.filter(({ path }) => canHaveStandIn(path)) : [];
  const standIns = pages.map(({ path, bytes }) => ({ path: standInPath(path), bytes: withStandIn(bytes) }));
  const all = [...decoded, ...standIns];
  const content = new Uint8Array(all.reduce((sum, { bytes }) => sum + bytes.length, 0));
  const entries: FileEntry[] = [];
  let offset = 0;
  for (const { path, bytes } of all) {
    content.set(bytes, offset);
    entries.push({ path, offset, size: bytes.length, digest: digestOf(bytes) });
    offset += bytes.length;
  }
  const count = decoded.length;
  return {
    content,
    files: entries.slice(0, count),
    standIns: storage === "memory" ? entries.slice(count) : undefined,
  };
}
function decodeFile(file: UploadedFile, position: number): Uint8Array {
  const bytes = bytesOf(file, position);
  if (bytes.length > FILE_BYTES) throw fileTooLarge(file, position);
  return bytes;
}
function bytesOf({ path, content, encoding }: UploadedFile, position: number): Uint8Array {
  if (typeof content !== "string") return content;
  return encoding === "base64" ? decodeBase64({ path, content }, position) : encodeText(content, position);
}
const fileTooLarge = (file: Pick<UploadedFile, "path">, position: number) =>
  tooLarge(`files[${position}] "${file.path}" exceeds the limit of 10 MB per file. Make the file smaller.`);
function encodeText(content: string, position: number): Uint8Array {
  if (!content.isWellFormed()) {
    throw invalid(
      `files[${position}].content has a lone surrogate, which isn't valid Unicode text. Fix the text, or send it as base64.`,
    );
  }
  return Buffer.from(content, "utf8");
}
/** Decodes strict base64 (RFC 4648 §4) with line breaks allowed. Checks the size first. */
function decodeBase64(file: { path: string; content: string }, position: number): Uint8Array {
  if (file.content.length * 0.7 > FILE_BYTES) throw fileTooLarge(file, position);
  try {
    return Uint8Array.fromBase64(file.content, { lastChunkHandling: "strict" });
  } catch {
    throw invalid(`files[${position}].content isn't valid base64. Check its encoding.`);
  }
}
