import type { Reader, Version } from "./model.ts";

/** A version with what its line in a list of versions says. */
export interface DetailedVersion extends Version {
  /** Bytes of all files. */
  size: number;
  fileCount: number;
  creator: { slug: string; displayName: string | null } | null;
}

/** Versions of an item that a member of its workspace may read. */
export interface DetailStore {
  countReadableVersions(sought: { itemId: number; reader: Reader }): Promise<number>;
  /** Up to `limit`, those with a number below `beforeNo` where that is given, newest first. */
  listReadableVersions(page: {
    itemId: number;
    reader: Reader;
    beforeNo: number | undefined;
    limit: number;
  }): Promise<DetailedVersion[]>;
}
