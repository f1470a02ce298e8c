import type { Instant } from "./entities.ts";

/** An object's metadata as the blob store lists it. */
export interface StoredObject {
  key: string;
  /** Bytes. */
  size: number;
  modifiedAt: Instant;
  /** MD5 of the bytes in hexadecimal, if the store lists a value of that form. */
  md5?: string | undefined;
}
/** A response body whose bytes don't have to be in memory. */
export type Streamable = Blob | ReadableStream<Uint8Array<ArrayBuffer>>;
/**
 * Immutable objects by key. A key is never rewritten with other content. `put` resolves when the object would survive a
 * power cut, and takes ownership of the content. Methods throw `StorageFull` if there is no space, and `Unavailable` if
 * the store doesn't respond; then an object may or may not have been stored.
 */
export interface Blobs {
  put(key: string, content: Uint8Array): Promise<void>;
  /**
   * Puts an object to which nothing refers before this resolves, which can be faster. If the power fails before, the key
   * may have an incomplete object.
   */
  add(key: string, content: Uint8Array): Promise<void>;
  /** Returns the bytes in `[offset, offset + length)`; undefined if there is no such object. */
  read(key: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  /**
   * Returns the bytes in `[offset, offset + length)` without holding them in memory. Throws `DamagedObject` if the
   * object is missing or too short; a stream that has already started fails with it.
   */
  slice(key: string, offset: number, length: number): Promise<Streamable>;
  /**
   * Returns the bytes in `[offset, offset + length)` of a local file without waiting; undefined if the object is missing
   * or too short. Stores without local files don't have this method.
   */
  sliceLocal?(key: string, offset: number, length: number): Blob | undefined;
  /** Returns the whole object; undefined if there is no such object. */
  readAll(key: string): Promise<Uint8Array | undefined>;
  /** Deletes objects, ignoring missing ones. */
  delete(keys: readonly string[]): Promise<void>;
  /** Removes objects from local caches, so that the next read returns what the store itself has. */
  forget(keys: readonly string[]): Promise<void>;
  /** Lists all objects, or those whose key begins with a character, in no particular order. */
  list(beginning?: string): AsyncIterable<StoredObject>;
  /** Throws if the store can't be used now. Answers quickly. */
  check(): Promise<void>;
}
/** The ID of the installation that a blob store belongs to. `Blobs` never lists, reads or deletes it as an object. */
export interface InstallationMark {
  read(): Promise<string | undefined>;
  /** Durably sets the ID unless there is one already. Returns the ID that is set afterwards. */
  claim(id: string): Promise<string>;
  /** Sets the ID, replacing any other. */
  replace(id: string): Promise<void>;
}
/** A blob store that records which installation it belongs to. */
export interface MarkedBlobs extends Blobs {
  readonly installation: InstallationMark;
}
