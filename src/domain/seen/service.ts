import { createCounting } from "./counting.ts";
import { createSeen } from "./seen.ts";
import { createSeenSettings } from "./settings.ts";

type Dependencies = Parameters<typeof createCounting>[0] &
  Parameters<typeof createSeen>[0] &
  Parameters<typeof createSeenSettings>[0];

export function createService(dependencies: Dependencies) {
  const counting = createCounting(dependencies);
  const seen = createSeen(dependencies, counting);
  return { ...seen, settings: createSeenSettings(dependencies, seen.load) };
}
