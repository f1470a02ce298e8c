/** The disk that published files are written to. */
export interface FreeSpace {
  /** Throws `StorageFull` when so many more bytes would leave less than the reserve. */
  take(bytes: number): Promise<void>;
}

/** Runs a write, and resolves when it is certain where it went. Throws `Unavailable` when that is no longer its place. */
export type WriteGuard = <Result>(write: () => Promise<Result>) => Promise<Result>;
