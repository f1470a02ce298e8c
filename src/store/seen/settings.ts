import type { Instant } from "../../domain/model/entities.ts";
import type { SeenBy } from "../../domain/model/seen-by.ts";
import type { Database } from "../engine/schema.ts";
import type { RecorderOf } from "../model/records.ts";
import { isGovernedBy } from "../people/accounts.ts";
import { EVERYONE } from "./add.ts";

export async function listSeenBy(database: Database): Promise<{ workspaceId: string; seenBy: SeenBy }[]> {
  const rows = await database
    .selectFrom("workspaces")
    .select(["id as workspaceId", "seen_by as seenBy"])
    .where("seen_by", "is not", null)
    .execute();
  return rows.map(({ workspaceId, seenBy }) => ({ workspaceId, seenBy: seenBy ?? "off" }));
}

export async function findSeenBy(database: Database, workspaceId: string): Promise<SeenBy> {
  const row = await database
    .selectFrom("workspaces")
    .select("seen_by")
    .where("id", "=", workspaceId)
    .executeTakeFirst();
  return row?.seen_by ?? "off";
}

interface Change {
  workspaceId: string;
  userId: string;
  seenBy: SeenBy;
}

/** Sets what a workspace records about readers. Returns false unless the user manages it. */
export async function setSeenBy(database: Database, { workspaceId, userId, seenBy }: Change): Promise<boolean> {
  const changed = await database
    .updateTable("workspaces")
    .set({ seen_by: seenBy === "off" ? null : seenBy })
    .where("id", "=", workspaceId)
    .where(isGovernedBy(userId))
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

export const recordSeenBy: RecorderOf<typeof setSeenBy> = async (database, { workspaceId, seenBy }) => {
  const workspace = await database
    .selectFrom("workspaces")
    .select(["slug", "seen_by"])
    .where("id", "=", workspaceId)
    .executeTakeFirst();
  return (isChanged) => {
    if (!isChanged || workspace === undefined) return [];
    const { slug: subject } = workspace;
    const details = { from: workspace.seen_by ?? "off", to: seenBy };
    return [{ action: "workspace.set_seen_by", workspaceId, subject, subjectId: workspaceId, details }];
  };
};

/** Deletes what a workspace's setting no longer allows: names unless it records them, everything if it records nothing. */
export async function removeUnwantedSeen(
  database: Database,
  { workspaceId, limit }: { workspaceId: string; limit: number },
): Promise<number> {
  const seenBy = await findSeenBy(database, workspaceId);
  if (seenBy === "names") return 0;
  return removeSeen(
    database,
    selectKeys(database)
      .where("workspace_id", "=", workspaceId)
      .$if(seenBy === "counts", (query) => query.where("user_id", "<>", EVERYONE))
      .limit(limit),
  );
}

/** Deletes records without openings since `before`. */
export const removeExpiredSeen = (
  database: Database,
  { before, limit }: { before: Instant; limit: number },
): Promise<number> =>
  removeSeen(database, selectKeys(database).where("last_at", "<", before).orderBy("last_at").limit(limit));

const selectKeys = (database: Database) => database.selectFrom("seen").select(["code", "link", "user_id"]);

async function removeSeen(database: Database, keys: ReturnType<typeof selectKeys>): Promise<number> {
  const removed = await database
    .deleteFrom("seen")
    .where(({ eb, refTuple }) =>
      eb(refTuple("code", "link", "user_id"), "in", keys.$asTuple("code", "link", "user_id")),
    )
    .executeTakeFirst();
  return Number(removed.numDeletedRows);
}
