import { createHash } from "node:crypto";

/** The position of a file in its version's stored object. */
export interface FileEntry {
  path: string;
  /** Bytes from the object's start. */
  offset: number;
  /** Bytes. */
  size: number;
  /** SHA-256 of the bytes, base64url. */
  digest: string;
}
/** Returns the SHA-256 digest of bytes in base64url. */
export const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("base64url");
