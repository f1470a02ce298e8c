import { type BigIntStats, closeSync, fstatSync, openSync, statSync } from "node:fs";
import type { WriteGuard } from "../domain/disk-ports.ts";
import { unavailable } from "../domain/failure.ts";
import type { PartState } from "../domain/readiness.ts";

type Identity = Pick<BigIntStats, "dev" | "ino">;

/**
 * Watches that paths go on leading to the directories and files that they led to. When the data directory is moved or
 * replaced, files that are open would be written where nobody looks for them any more.
 * `lost` is told once, of the first that does not.
 */
export function watchDataDirectory(lost: (path: string) => void) {
  const watched = new Map<string, Identity>();
  const handles: number[] = [];
  let lostPath: string | undefined;

  /** Keeps the directory open: else the number of one that was deleted could be given to the next. */
  function watchDirectory(path: string): void {
    const handle = openSync(path, "r");
    handles.push(handle);
    watched.set(path, fstatSync(handle, { bigint: true }));
  }

  /** The file has to stay open elsewhere. Opening SQLite's here would take its locks away when it is closed. */
  function watchFile(path: string): void {
    watched.set(path, statSync(path, { bigint: true }));
  }

  /** Looks at all paths, which takes microseconds. Once lost stays lost: what was written in between is elsewhere. */
  function findLost(): string | undefined {
    if (lostPath !== undefined) return lostPath;
    for (const [path, identity] of watched) {
      if (isThere(path, identity)) continue;
      lostPath = path;
      lost(path);
      break;
    }
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

const REFUSAL = "The server cannot store anything until its operator restarts it.";

/** Returns what an operator has to know. */
export const describeLost = (path: string): string =>
  `"${path}" was moved or replaced while the server was running. Nothing is written until the server is restarted.`;

function isThere(path: string, { dev, ino }: Identity): boolean {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found !== undefined && found.dev === dev && found.ino === ino;
  } catch {
    return false;
  }
}
