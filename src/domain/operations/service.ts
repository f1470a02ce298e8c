import { createSweep } from "./sweep.ts";

export const createService = (dependencies: Parameters<typeof createSweep>[0]) => ({
  sweep: createSweep(dependencies),
});
