import type { SampleItem } from "../../domain/reports/ports.ts";
import type { Database } from "../engine/schema.ts";

/** Returns the sample reports that a user has added to a workspace, oldest first. */
export async function listSamples(
  database: Database,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<SampleItem[]> {
  const rows = await database
    .selectFrom("items")
    .select(["sample", "name", "current_code as code", "title"])
    .where("workspace_id", "=", workspaceId)
    .where("creator_id", "=", userId)
    .where("sample", "is not", null)
    .orderBy("id")
    .execute();
  return rows.map(({ sample, ...row }) => ({ ...row, sample: sample ?? "" }));
}
