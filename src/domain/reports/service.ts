import type { Cursors } from "../model/cursors.ts";
import { createDamage } from "./damage.ts";
import { createDetails } from "./details.ts";
import { createLists, type ListPlace } from "./lists.ts";
import { createNamedReports } from "./named-reports.ts";
import { createReading } from "./reading.ts";
import { createSamples } from "./samples.ts";
import { createStorage } from "./storage.ts";
import { createTitles } from "./titles.ts";
import { createVisibilities } from "./visibility.ts";

type Dependencies = Parameters<typeof createDetails>[0] &
  Parameters<typeof createNamedReports>[0] &
  Parameters<typeof createVisibilities>[0] &
  Omit<Parameters<typeof createReading>[0], "damage"> & {
    createCursors: () => Cursors<ListPlace>;
    /** Receives the code of each version whose files are missing or damaged, once. */
    noteDamage(code: string): void;
  };

export function createService(dependencies: Dependencies) {
  const { store, blobs, createCursors, noteDamage } = dependencies;
  const damage = createDamage({ store, note: noteDamage });
  return {
    damage,
    details: createDetails(dependencies),
    named: createNamedReports(dependencies),
    lists: createLists({ store, cursors: createCursors() }),
    reading: createReading({ store, blobs, damage }),
    samples: createSamples({ store }),
    storage: createStorage(dependencies),
    titles: createTitles(dependencies),
    visibilities: createVisibilities(dependencies),
  };
}
