import type { Task } from "../operations/schedule.ts";
import { createAudit } from "./audit.ts";
import { createAuditUpkeep } from "./upkeep.ts";

const DAY = 24 * 60 * 60_000;

type Dependencies = Parameters<typeof createAudit>[0] & Parameters<typeof createAuditUpkeep>[0];

export function createService(dependencies: Dependencies) {
  const upkeep = createAuditUpkeep(dependencies);
  const removal: Task = {
    name: "audit",
    every: DAY,
    async run(signal) {
      const removed = await upkeep.removeExpired(signal);
      return removed === 0 ? undefined : `Deleted ${removed} expired entries of the audit log.`;
    },
  };
  return { ...createAudit(dependencies), ...upkeep, /** The background tasks of the audit log. */ tasks: [removal] };
}
