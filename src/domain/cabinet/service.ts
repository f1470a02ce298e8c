import { createCabinet } from "./cabinet.ts";
import { createFiling } from "./filing.ts";
import { createItems } from "./items.ts";
import { createShortcuts } from "./shortcuts.ts";
import { createTags } from "./tags.ts";

type Dependencies = Parameters<typeof createCabinet>[0] &
  Parameters<typeof createFiling>[0] &
  Parameters<typeof createItems>[0] &
  Parameters<typeof createShortcuts>[0] &
  Parameters<typeof createTags>[0];

export const createService = (dependencies: Dependencies) => ({
  cabinet: createCabinet(dependencies),
  filing: createFiling(dependencies),
  items: createItems(dependencies),
  shortcuts: createShortcuts(dependencies),
  tags: createTags(dependencies),
});
