import { createHash } from "node:crypto";
import type { FileEntry } from "../model/files.ts";

/** Milliseconds for which a repeated request is recognized. */
export const REQUEST_LIFETIME = 24 * 60 * 60_000;

/**
 * Returns the SHA-256 of an upload's details and decoded files as hexadecimal digits. The order and the encoding of the
 * files don't matter.
 */
export function fingerprintOf(details: object, files: readonly FileEntry[]): string {
  const contents = files.map(({ path, digest }) => [path, digest]).sort();
  const given = Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .sort();
  return createHash("sha256")
    .update(JSON.stringify([given, contents]))
    .digest("hex");
}
