import { createLiveReaders } from "./live-readers.ts";
import { createPrivateLinks } from "./private-links.ts";

type Dependencies = Parameters<typeof createPrivateLinks>[0] & Parameters<typeof createLiveReaders>[0];

export const createService = (dependencies: Dependencies) => ({
  ...createPrivateLinks(dependencies),
  readers: createLiveReaders(dependencies),
});
