import { createPublish } from "./publish.ts";

export const createService = (dependencies: Parameters<typeof createPublish>[0]) => createPublish(dependencies);
