/** How a part of the server is. A degraded one is shown to operators; a failed one takes the server out of service. */
export interface PartState {
  state: "ok" | "degraded" | "failed";
  detail?: string;
}

/** The disk that published files are written to. */
export interface FreeSpace {
  /** Throws `StorageFull` when so many more bytes would leave less than the reserve. */
  take(bytes: number): Promise<void>;
}

/** Runs a write, and resolves when it is certain where it went. Throws `Unavailable` when that is no longer its place. */
export type WriteGuard = <Result>(write: () => Promise<Result>) => Promise<Result>;
