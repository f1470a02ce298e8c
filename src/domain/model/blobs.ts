import type { Instant } from "./entities.ts";

/** What a store says of an object without giving it. */
export interface StoredObject {
  key: string;
  /** Bytes. */
  size: number;
  modifiedAt: Instant;
  /** MD5 of the bytes, hexadecimal, where the store has something that looks like one. */
  md5?: string | undefined;
}
/** What a response can have as its body without the bytes being in memory. */
export type Streamable = Blob | ReadableStream<Uint8Array<ArrayBuffer>>;
/**
 * Immutable objects by key. A key is written once and never again with other content; `put` answers when the object
 * would survive a power cut, and takes the content over: the caller has it no longer. Throws `StorageFull` when there is
 * no room, and `Unavailable` when the store does not answer, which leaves open whether an object was put.
 */
export interface Blobs {
  put(key: string, content: Uint8Array): Promise<void>;
  /** The bytes of `[offset, offset + length)`, or undefined when there is no such object. */
  read(key: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  /**
   * The same range as something that can be streamed without being held in memory. Throws `DamagedObject` when the object
   * is missing or ends before the range does; a stream that is under way breaks off with it.
   */
  slice(key: string, offset: number, length: number): Promise<Streamable>;
  /** The whole object, or undefined. */
  readAll(key: string): Promise<Uint8Array | undefined>;
  /** Removes objects; those that are not there do not matter. */
  delete(keys: readonly string[]): Promise<void>;
  /** Forgets copies that are kept near at hand, so that the next read gives what the store itself has. */
  forget(keys: readonly string[]): Promise<void>;
  /** All objects, or those whose key begins with a character, in no order that matters. */
  list(beginning?: string): AsyncIterable<StoredObject>;
  /** Throws when the store cannot be used just now, and says soon which it is. */
  check(): Promise<void>;
}
/** The id of the installation that a place of objects belongs to. It is no object: never listed, read or deleted as one. */
export interface InstallationMark {
  read(): Promise<string | undefined>;
  /** Notes an id, durably, unless there is one already. Returns the one that is noted then. */
  claim(id: string): Promise<string>;
  /** Notes an id in place of any other. */
  replace(id: string): Promise<void>;
}
/** Objects in a place that says whose they are. */
export interface MarkedBlobs extends Blobs {
  readonly installation: InstallationMark;
}
