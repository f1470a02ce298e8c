import { createLive } from "./live.ts";

export const createService = (dependencies: Parameters<typeof createLive>[0]) => createLive(dependencies);
