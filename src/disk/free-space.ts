import { statfs } from "node:fs/promises";
import { storageFull } from "../domain/model/failure.ts";
import type { FreeSpace } from "../domain/model/free-space.ts";
import type { PartState } from "../domain/model/health.ts";

/** Milliseconds for which a look at the disk is good. */
const FRESHNESS = 1_000;

interface Parts {
  directory: string;
  /** Bytes to be left free; 0 turns the check off. */
  reserve: number;
  /** Told once each time that the space becomes scarce, or is there again. */
  report(message: string): void;
  /** Milliseconds that only ever grow. */
  now?: () => number;
}

/**
 * Keeps uploads from using up the disk: with some space left, reports can still be deleted and people can still sign in.
 * What was taken since the last look counts as used.
 */
export function createFreeSpace({ directory, reserve, report, now = () => performance.now() }: Parts) {
  let look: { at: number; free: Promise<number> } | undefined;
  let taken = 0;
  let isScarce = false;

  /** Returns free bytes as of now, or of a moment ago. */
  function measure(): Promise<number> {
    if (look === undefined || now() - look.at >= FRESHNESS) {
      taken = 0;
      look = { at: now(), free: readFree(directory) };
    }
    return look.free;
  }

  function note(scarce: boolean): void {
    if (scarce !== isScarce) report(scarce ? SCARCE : ENOUGH);
    isScarce = scarce;
  }

  const take: FreeSpace["take"] = async (bytes) => {
    if (reserve === 0) return;
    const isEnough = claim(bytes, await measure());
    note(!isEnough);
    if (!isEnough) throw storageFull();
  };

  /** In one go, so that two at once do not take the same space. */
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

/** Where nothing can be said of the disk, writing says what is wrong with it. */
async function readFree(directory: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
