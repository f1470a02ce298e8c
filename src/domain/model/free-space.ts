/** The disk that published files are written to. */
export interface FreeSpace {
  /** Reserves space for a write. Throws `StorageFull` if it would leave less free space than required. */
  take(bytes: number): Promise<void>;
}

/** Runs a write to the disk, then checks that the disk is still the right one. Throws `Unavailable` if it isn't. */
export type WriteGuard = <Result>(write: () => Promise<Result>) => Promise<Result>;
