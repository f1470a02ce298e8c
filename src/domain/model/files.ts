import { createHash } from "node:crypto";

/** Where one file lies within its upload's stored object. */
export interface FileEntry {
  path: string;
  /** Bytes from the object's start. */
  offset: number;
  /** Bytes. */
  size: number;
  /** SHA-256 of the bytes, base64url. */
  digest: string;
}
/** Returns the SHA-256 of bytes, base64url. */
export const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("base64url");
