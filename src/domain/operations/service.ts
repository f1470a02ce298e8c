import { createSweep } from "./sweep.ts";
import { expiryTask, sweepTask } from "./tasks.ts";

export function createService(dependencies: Parameters<typeof createSweep>[0]) {
  const sweep = createSweep(dependencies);
  return {
    sweep,
    /** The background tasks that every installation has. */
    tasks: [expiryTask(dependencies), sweepTask({ ...dependencies, sweep })],
  };
}
