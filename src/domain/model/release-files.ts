/** A file of a release, which `SHA256SUMS` lists. */
export interface ReleaseFile {
  name: string;
  /** In hexadecimal. */
  sha256: string;
}

/** The release that this server hands out. */
export interface ReleaseFiles {
  /** Lists the files. Empty if there is no release. */
  list(): Promise<readonly ReleaseFile[]>;
  /** Returns a file of the list if its bytes have the listed digest. */
  open(file: ReleaseFile): Promise<Blob | undefined>;
}
