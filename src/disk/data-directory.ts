import { type BigIntStats, closeSync, fstatSync, openSync, statSync } from "node:fs";
import { unavailable } from "../domain/model/failure.ts";
import type { WriteGuard } from "../domain/model/free-space.ts";
import type { PartState } from "../domain/model/health.ts";

interface Watched extends Pick<BigIntStats, "dev" | "ino"> {
  /** Whether writes may continue once it is back, because each write opens its file by path. */
  mayReturn: boolean;
}

/**
 * Notices when watched paths no longer lead to the same directories and files, and calls `lost` once for each loss. After
 * the data directory is moved or replaced, writes to open files would end up in the old directory.
 */
export function watchDataDirectory(lost: (path: string) => void) {
  const watched = new Map<string, Watched>();
  const handles: number[] = [];
  let lostPath: string | undefined;
  let isLostPermanently = false;

  /** Keeps the directory open, so that its inode number is not reused after it is deleted. */
  function watchDirectory(path: string, { mayReturn = false } = {}): void {
    const handle = openSync(path, "r");
    handles.push(handle);
    const { dev, ino } = fstatSync(handle, { bigint: true });
    watched.set(path, { dev, ino, mayReturn });
  }

  /** Watches a file that stays open elsewhere. Opening and closing SQLite's file here would release its locks. */
  function watchFile(path: string): void {
    const { dev, ino } = statSync(path, { bigint: true });
    watched.set(path, { dev, ino, mayReturn: false });
  }

  /** Checks all paths, which takes microseconds. A path that may not return stays lost, because it may have changed. */
  function findLost(): string | undefined {
    if (isLostPermanently) return lostPath;
    const [path, missing] = [...watched].find(([candidate, identity]) => !isThere(candidate, identity)) ?? [];
    if (path !== undefined && path !== lostPath) lost(path);
    lostPath = path;
    isLostPermanently = missing?.mayReturn === false;
    return lostPath;
  }

  function requireUnmoved(): void {
    if (findLost() !== undefined) throw unavailable(REFUSAL);
  }

  /** Checks before a write, to change nothing elsewhere, and after it, to confirm nothing that was stored elsewhere. */
  const guard: WriteGuard = async (write) => {
    requireUnmoved();
    try {
      return await write();
    } finally {
      requireUnmoved();
    }
  };

  function check(): PartState {
    const path = findLost();
    return path === undefined ? { state: "ok" } : { state: "failed", detail: describeLost(path) };
  }

  function close(): void {
    for (const handle of handles.splice(0)) closeSync(handle);
  }

  return { watchDirectory, watchFile, guard, check, close };
}

const REFUSAL = "The server can't store anything right now: its data directory was moved or replaced.";

/** Returns what to tell operators about a lost path. */
export const describeLost = (path: string): string =>
  `"${path}" was moved or replaced while the server was running. Put it back and restart the server. Nothing is written until then.`;

function isThere(path: string, { dev, ino }: Watched): boolean {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found !== undefined && found.dev === dev && found.ino === ino;
  } catch {
    return false;
  }
}
