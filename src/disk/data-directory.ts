import { type BigIntStats, closeSync, fstatSync, openSync, statSync } from "node:fs";
import { unavailable } from "../domain/model/failure.ts";
import type { WriteGuard } from "../domain/model/free-space.ts";
import type { PartState } from "../domain/model/health.ts";

interface Watched extends Pick<BigIntStats, "dev" | "ino"> {
  /** Whether writes may go on when it's there again: where each of them opens its file by its path. */
  mayReturn: boolean;
}

/**
 * Watches that paths go on leading to the directories and files that they led to. When the data directory is moved or
 * replaced, writes to files that are open would end up in the old place.
 * Calls `lost` once for each loss.
 */
export function watchDataDirectory(lost: (path: string) => void) {
  const watched = new Map<string, Watched>();
  const handles: number[] = [];
  let lostPath: string | undefined;
  let isLostForGood = false;

  /** Keeps the directory open: else the number of one that was deleted could be given to the next. */
  function watchDirectory(path: string, { mayReturn = false } = {}): void {
    const handle = openSync(path, "r");
    handles.push(handle);
    const { dev, ino } = fstatSync(handle, { bigint: true });
    watched.set(path, { dev, ino, mayReturn });
  }

  /** The file has to stay open elsewhere. Opening SQLite's here would take its locks away when it is closed. */
  function watchFile(path: string): void {
    const { dev, ino } = statSync(path, { bigint: true });
    watched.set(path, { dev, ino, mayReturn: false });
  }

  /** Looks at all paths, which takes microseconds. What may not return stays lost: it may have changed meanwhile. */
  function findLost(): string | undefined {
    if (isLostForGood) return lostPath;
    const [path, missing] = [...watched].find(([candidate, identity]) => !isThere(candidate, identity)) ?? [];
    if (path !== undefined && path !== lostPath) lost(path);
    lostPath = path;
    isLostForGood = missing?.mayReturn === false;
    return lostPath;
  }

  function requireUnmoved(): void {
    if (findLost() !== undefined) throw unavailable(REFUSAL);
  }

  /** Before, so that nothing is changed elsewhere; and after, so that nothing is said to be stored that is elsewhere. */
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

/** Returns what an operator has to know. */
export const describeLost = (path: string): string =>
  `"${path}" was moved or replaced while the server was running. Put it back and restart the server; nothing is written until then.`;

function isThere(path: string, { dev, ino }: Watched): boolean {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found !== undefined && found.dev === dev && found.ino === ino;
  } catch {
    return false;
  }
}
