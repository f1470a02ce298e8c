/** The disk that published files are written to. */
export interface FreeSpace {
  /** Reserves space for a write. Throws `StorageFull` if it would leave less free space than required. */
  take(bytes: number): Promise<void>;
}

/** Runs a write. Throws `Unavailable` if the data directory was moved or replaced before the write or during it. */
export type WriteGuard = <Result>(write: () => Promise<Result>) => Promise<Result>;
