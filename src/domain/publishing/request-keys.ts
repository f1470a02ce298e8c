import { createHash } from "node:crypto";
import type { FileEntry } from "../model/files.ts";

/** How long a request that comes again is known, in milliseconds. */
export const REQUEST_LIFETIME = 24 * 60 * 60_000;

/**
 * SHA-256 of all that an upload says, hexadecimal: its files as they are when decoded, in whatever order they came, and
 * its details as they were given. So the same upload is known again in another encoding.
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
