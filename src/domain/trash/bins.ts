import { newId, newIds } from "../model/codes.ts";
import type { Instant } from "../model/entities.ts";
import type { Plan, Quotas } from "../model/plans.ts";
import type { Random } from "../model/ports.ts";
import type { TrashBin } from "./ports.ts";

const DAY = 24 * 60 * 60_000;

export interface BinDependencies {
  random: Random;
  quotas: Quotas;
  /** Days that the trash keeps deleted reports; 0 means that deletions are permanent. */
  trashDays: number;
}

/** Returns where to put `count` deleted things of a workspace; undefined without a trash. */
export function createBin(
  { random, quotas, trashDays }: BinDependencies,
  { plan, count, now }: { plan: Plan; count: number; now: Instant },
): TrashBin | undefined {
  if (trashDays === 0) return undefined;
  return {
    batchId: newId(random, "del"),
    ids: newIds(random, "trs", count),
    expiresAt: now + trashDays * DAY,
    allowance: quotas[plan],
  };
}
