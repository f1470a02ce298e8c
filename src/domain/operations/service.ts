import { createAdministration } from "./administration.ts";
import { createClearing } from "./clearing.ts";
import { createScrub } from "./scrub.ts";
import { createSweep } from "./sweep.ts";
import { expiryTask, scrubTask, sweepTask } from "./tasks.ts";

type Dependencies = Parameters<typeof createSweep>[0] &
  Parameters<typeof createClearing>[0] &
  Parameters<typeof createAdministration>[0] &
  Omit<Parameters<typeof createScrub>[0], "days"> & {
    /** The days in which the scrub reads each object once; 0 means no scrub. */
    scrubDays: number;
  };

export function createService(dependencies: Dependencies) {
  const { scrubDays } = dependencies;
  const sweep = createSweep(dependencies);
  const scrub = createScrub({ ...dependencies, days: scrubDays });
  const scrubbing = scrubDays === 0 ? [] : [scrubTask(scrub)];
  return {
    sweep,
    scrub,
    clearing: createClearing(dependencies),
    administration: createAdministration(dependencies),
    /** The background tasks of the installation. */
    tasks: [expiryTask(dependencies), sweepTask({ ...dependencies, sweep }), ...scrubbing],
  };
}
