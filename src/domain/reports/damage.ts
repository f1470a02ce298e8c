import { reportNotFound } from "../model/common-failures.ts";
import { damaged, type Failure } from "../model/failure.ts";
import type { PartState } from "../model/health.ts";
import type { ServeStore } from "./ports.ts";

/** Maximum damaged versions in memory. The oldest is dropped, and logged again when it is next read. */
const REMEMBERED = 1_000;

interface Dependencies {
  store: { reports: Pick<ServeStore, "findServedState"> };
  /** Receives the code of each damaged version once. */
  note(code: string): void;
}

/** Creates the record of versions whose files are missing or damaged. */
export function createDamage({ store, note }: Dependencies) {
  /** The offsets of a version's damaged files in its object, by code. */
  const known = new Map<string, Set<number>>();
  const noted = new Set<string>();
  let refusals = 0;

  /**
   * Records a missing or damaged file of a version by its offset. Returns the failure to respond with: `Damaged`, or
   * `NotFound` if the version was deleted meanwhile. Rejects if the store does.
   */
  async function failureFor(code: string, offset: number): Promise<Failure> {
    if ((await store.reports.findServedState(code)) === undefined) {
      known.delete(code);
      return reportNotFound({ code });
    }
    refusals++;
    const places = known.get(code) ?? new Set();
    if (places.size === 0) forgetOldest(known);
    known.set(code, places.add(offset));
    if (!noted.has(code)) {
      forgetOldest(noted);
      noted.add(code);
      note(code);
    }
    return damaged();
  }

  /** Forgets a file that was read intact, for example after it was restored. */
  function recovered(code: string, offset: number): void {
    if (known.size === 0) return;
    const places = known.get(code);
    places?.delete(offset);
    if (places?.size === 0) known.delete(code);
  }

  /** Returns the number of damaged versions and of requests refused because of them. */
  const counts = () => ({ reports: known.size, refusals });

  function health(): PartState {
    const [code] = known.keys();
    if (code === undefined) return { state: "ok" };
    const reports = known.size === 1 ? "1 report" : `${known.size} reports`;
    return {
      state: "degraded",
      detail: `Files of ${reports} are missing or damaged, for example of ${code}. Restore them from a backup.`,
    };
  }

  return { failureFor, recovered, counts, health };
}

function forgetOldest(remembered: Map<string, unknown> | Set<string>): void {
  const [oldest] = remembered.keys();
  if (oldest !== undefined && remembered.size >= REMEMBERED) remembered.delete(oldest);
}

export type Damage = ReturnType<typeof createDamage>;
