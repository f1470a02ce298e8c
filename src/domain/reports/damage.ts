import { reportNotFound } from "../model/common-failures.ts";
import { damaged, type Failure } from "../model/failure.ts";
import type { PartState } from "../model/health.ts";
import type { ServeStore } from "./ports.ts";

/** Reports that are remembered as damaged; beyond it the oldest is forgotten, and logged again when it is read again. */
const REMEMBERED = 1_000;

interface Parts {
  store: { reports: Pick<ServeStore, "findVisibility"> };
  /** Told once for each report. */
  note(code: string): void;
}

/** Keeps account of reports whose files are missing or not what was published. */
export function createDamage({ store, note }: Parts) {
  /** Where in their object the damaged files of a report begin, by its code. */
  const known = new Map<string, Set<number>>();
  const noted = new Set<string>();
  let refusals = 0;

  /**
   * Returns the failure for a file of a version, by where it begins in its object, that can't be served as it was
   * published: `Damaged`, or `NotFound` where the version was deleted meanwhile. Rejects as the store does.
   */
  async function failureFor(code: string, offset: number): Promise<Failure> {
    if ((await store.reports.findVisibility(code)) === undefined) {
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

  /** Forgets a file that was read whole, as after it was restored. */
  function recovered(code: string, offset: number): void {
    if (known.size === 0) return;
    const places = known.get(code);
    places?.delete(offset);
    if (places?.size === 0) known.delete(code);
  }

  /** Returns how many reports are known to be damaged, and how many requests were refused for it. */
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
