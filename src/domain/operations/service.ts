import { createAdministration } from "./administration.ts";
import { createSweep } from "./sweep.ts";

type Dependencies = Parameters<typeof createSweep>[0] & Parameters<typeof createAdministration>[0];

export const createService = (dependencies: Dependencies) => ({
  sweep: createSweep(dependencies),
  administration: createAdministration(dependencies),
});
