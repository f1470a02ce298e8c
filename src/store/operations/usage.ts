import { sql } from "kysely";
import type { PlanUsage, UsageQuestion } from "../../domain/operations/usage.ts";
import type { Engine } from "../engine/engine.ts";
import type { Database } from "../engine/schema.ts";

/** Reads all workspaces, so it runs where it does not hold the event loop. */
export async function measureUsage(database: Database, _: Engine, { fullFrom }: UsageQuestion): Promise<PlanUsage[]> {
  const { free, pro } = fullFrom;
  const isNearlyFull = sql<boolean>`stored_bytes >= case plan when 'free' then cast(${free} as bigint) else cast(${pro} as bigint) end`;
  const rows = await database
    .selectFrom("workspaces")
    .leftJoin("trash_sizes", "trash_sizes.workspace_id", "workspaces.id")
    .select((expression) => [
      "plan",
      expression.fn.countAll<number>().as("workspaces"),
      sql<number>`cast(sum(stored_bytes) as bigint)`.as("storedBytes"),
      sql<number>`cast(coalesce(sum(trash_sizes.bytes), 0) as bigint)`.as("trashBytes"),
      sql<number>`cast(sum(case when ${isNearlyFull} then 1 else 0 end) as bigint)`.as("nearlyFull"),
    ])
    .groupBy("plan")
    .orderBy("plan")
    .execute();
  return rows;
}
