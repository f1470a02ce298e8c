import { digestOf, type FileEntry } from "../model/files.ts";

/** Describes the first difference between an object and what was published, in one clause. Undefined if they are equal. */
export function findDamage(content: Uint8Array, files: readonly FileEntry[]): string | undefined {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (content.length !== size) return `it has ${content.length} bytes where ${size} were published`;
  const damaged = files.find(
    (file) => digestOf(content.subarray(file.offset, file.offset + file.size)) !== file.digest,
  );
  return damaged && `${damaged.path} in it is not what was published`;
}
