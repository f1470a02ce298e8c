import { createDeleting } from "./deleting.ts";
import { createProtection } from "./protection.ts";
import { createRetention } from "./retention.ts";
import { createTrash } from "./trash.ts";
import { createTrashUpkeep } from "./upkeep.ts";

type Dependencies = Parameters<typeof createDeleting>[0] &
  Parameters<typeof createTrash>[0] &
  Parameters<typeof createProtection>[0] &
  Parameters<typeof createRetention>[0] &
  Parameters<typeof createTrashUpkeep>[0];

export const createService = (dependencies: Dependencies) => ({
  ...createTrash(dependencies),
  ...createTrashUpkeep(dependencies),
  deleting: createDeleting(dependencies),
  protection: createProtection(dependencies),
  retention: createRetention(dependencies),
});
