import { createAudit } from "./audit.ts";
import { createAuditUpkeep } from "./upkeep.ts";

type Dependencies = Parameters<typeof createAudit>[0] & Parameters<typeof createAuditUpkeep>[0];

export const createService = (dependencies: Dependencies) => ({
  ...createAudit(dependencies),
  ...createAuditUpkeep(dependencies),
});
