import { createHash } from "node:crypto";
import { authorizeReadVersion } from "../model/access.ts";
import type { Blobs, Streamable } from "../model/blobs.ts";
import { fileNotFound, reportNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import { digestOf, type FileEntry } from "../model/files.ts";
import { CODE_PATTERN } from "../model/names.ts";
import { DamagedObject } from "../model/objects.ts";
import type { Damage } from "./damage.ts";
import type { ReportStore } from "./ports.ts";

/** Size up to which files are read into memory. Larger files are streamed. */
const LARGEST_READ_BYTES = 1024 * 1024;

interface Dependencies {
  store: { reports: ReportStore };
  blobs: Blobs;
  damage: Pick<Damage, "failureFor" | "recovered">;
}

/** A published file with its digest. */
export interface OpenedFile {
  content: Uint8Array<ArrayBuffer> | Streamable;
  /** SHA-256, base64url. */
  digest: string;
}

/** A page, with the digests of its version's files by path. */
export interface PageOfVersion {
  html: string;
  path: string;
  digests: Readonly<Record<string, string>>;
}

/** Creates the service that reads published files back. */
export function createReading({ store, blobs, damage }: Dependencies) {
  /** Throws `NotFound` unless the caller may read the version. */
  async function authorize(caller: Caller, code: string): Promise<void> {
    const found = CODE_PATTERN.test(code) ? await store.reports.findVersion(code, caller) : undefined;
    if (authorizeReadVersion(caller, found) === undefined) throw reportNotFound({ code });
  }

  /**
   * Returns a file of a version that the caller may read, after checking its bytes against the published digest. Throws
   * `NotFound`, or `Damaged` if they differ.
   */
  async function open(caller: Caller, code: string, path: string): Promise<OpenedFile> {
    await authorize(caller, code);
    const served = await store.reports.findServed(code);
    return openFile(code, path, served?.files ?? []);
  }

  async function openFile(code: string, path: string, files: readonly FileEntry[]): Promise<OpenedFile> {
    const file = files.find((candidate) => candidate.path === path);
    if (file === undefined) throw fileNotFound(path, code);
    const content = (await read(code, file)) ?? (await readAgain(code, file));
    if (content === undefined) throw await damage.failureFor(code, file.offset);
    damage.recovered(code, file.offset);
    return { content, digest: file.digest };
  }

  /**
   * Returns a page of a version with the digests of the version's files, without asking who reads it: another check has to come
   * before. Undefined if there is no such page, or it is larger than `limit` bytes.
   */
  async function readPage(code: string, path: string, limit: number): Promise<PageOfVersion | undefined> {
    const files = (await store.reports.findServed(code))?.files ?? [];
    const size = files.find((file) => file.path === path)?.size ?? Number.POSITIVE_INFINITY;
    if (size > limit) return undefined;
    const { content } = await openFile(code, path, files);
    const html = content instanceof Uint8Array ? new TextDecoder().decode(content) : await new Response(content).text();
    return { html, path, digests: Object.fromEntries(files.map((file) => [file.path, file.digest])) };
  }

  /** Reads a file past the local cache, which may be damaged while the blob store's object is intact. */
  async function readAgain(code: string, file: FileEntry) {
    await blobs.forget([code]);
    return read(code, file);
  }

  /** Returns the file's bytes; undefined if they are not what was published. */
  async function read(code: string, file: FileEntry): Promise<Uint8Array<ArrayBuffer> | Streamable | undefined> {
    try {
      if (file.size > LARGEST_READ_BYTES) return await openLarge(code, file);
      const bytes = file.size === 0 ? new Uint8Array() : await blobs.read(code, file.offset, file.size);
      return bytes !== undefined && digestOf(bytes) === file.digest ? new Uint8Array(bytes) : undefined;
    } catch (error) {
      if (error instanceof DamagedObject) return undefined;
      throw error;
    }
  }

  /** Reads a file twice, first to check its digest: a response that has begun can't report damage any more. */
  async function openLarge(code: string, { offset, size, digest }: FileEntry): Promise<Streamable | undefined> {
    const hash = createHash("sha256");
    const compared = await blobs.slice(code, offset, size);
    for await (const chunk of compared instanceof Blob ? compared.stream() : compared) hash.update(chunk);
    return hash.digest("base64url") === digest ? blobs.slice(code, offset, size) : undefined;
  }

  return { authorize, open, readPage };
}

export type Reading = ReturnType<typeof createReading>;
