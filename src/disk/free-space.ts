import { statfs } from "node:fs/promises";
import { storageFull } from "../domain/model/failure.ts";
import type { FreeSpace } from "../domain/model/free-space.ts";
import type { PartState } from "../domain/model/health.ts";
import type { Log } from "../observability/log.ts";

/** Milliseconds after which free space is measured again. */
const FRESHNESS = 1_000;

interface FreeSpaceDependencies {
  directory: string;
  /** Bytes to leave free; 0 turns the check off. */
  reserve: number;
  /** Gets one line each time that space becomes scarce, or is enough again. */
  log: Pick<Log, "info" | "warn">;
  /** Returns milliseconds of a monotonic clock. */
  now?: () => number;
}

/**
 * Keeps uploads from filling the disk, so that people can still delete reports and sign in. Space taken since the last
 * measurement counts as used.
 */
export function createFreeSpace({ directory, reserve, log, now = () => performance.now() }: FreeSpaceDependencies) {
  let look: { at: number; free: Promise<number> } | undefined;
  let taken = 0;
  let isScarce = false;

  /** Returns the free bytes, measured within the last second. */
  function measure(): Promise<number> {
    if (look === undefined || now() - look.at >= FRESHNESS) {
      taken = 0;
      look = { at: now(), free: readFree(directory) };
    }
    return look.free;
  }

  function note(scarce: boolean): void {
    if (scarce && !isScarce) log.warn({ message: SCARCE });
    if (!scarce && isScarce) log.info({ message: ENOUGH });
    isScarce = scarce;
  }

  const take: FreeSpace["take"] = async (bytes) => {
    if (reserve === 0) return;
    const isEnough = claim(bytes, await measure());
    note(!isEnough);
    if (!isEnough) throw storageFull();
  };

  /** Claims space without awaiting anything, so that two uploads never claim the same bytes. */
  function claim(bytes: number, free: number): boolean {
    if (free - taken - bytes < reserve) return false;
    taken += bytes;
    return true;
  }

  /** Returns "degraded" while uploads are refused. */
  async function check(): Promise<PartState> {
    if (reserve === 0 || (await measure()) >= reserve) return { state: "ok" };
    return { state: "degraded", detail: SCARCE };
  }

  return { take, check };
}

const SCARCE = "The data directory's disk has less free space than VITRINE_DISK_RESERVE, so uploads are refused.";
const ENOUGH = "The data directory's disk has enough free space again, so uploads are accepted.";

/** Returns infinity if the disk cannot be read: a write will report what is wrong. */
async function readFree(directory: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
