import type { AuditEvent } from "../../domain/model/audit.ts";
import type { Database } from "../engine/schema.ts";
import type { RecorderOf } from "../model/records.ts";
import { eventsOfItems } from "../reports/records.ts";
import type { beginWorkspaceDeletion, deleteEmptyWorkspace, deleteReports, moveReports } from "./workspace-changes.ts";

async function findSlug(database: Database, id: string): Promise<string | null> {
  const workspace = await database.selectFrom("workspaces").select("slug").where("id", "=", id).executeTakeFirst();
  return workspace?.slug ?? null;
}

async function workspaceEvent(database: Database, action: AuditEvent["action"], id: string): Promise<AuditEvent> {
  const slug = await findSlug(database, id);
  return { action, workspaceId: id, workspace: slug, subject: slug, subjectId: id };
}

export const recordClosing: RecorderOf<typeof beginWorkspaceDeletion> = async (database, { workspaceId }) => {
  const event = await workspaceEvent(database, "organization.close", workspaceId);
  return (members) => (members.length === 0 ? [] : [{ ...event, details: { members: members.length } }]);
};

export const recordWorkspaceDeletion: RecorderOf<typeof deleteEmptyWorkspace> = async (database, { workspaceId }) => {
  const event = await workspaceEvent(database, "organization.delete", workspaceId);
  return (isDeleted) => (isDeleted && event.subject !== null ? [event] : []);
};

/** Reads the reports that will be deleted: the same as `deleteReports` locks. */
export const recordDeletedReports: RecorderOf<typeof deleteReports> = async (database, { workspaceId, limit }) => {
  const items = await database
    .selectFrom("items")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .orderBy("id")
    .limit(limit)
    .execute();
  const events = await eventsOfItems(
    database,
    "report.delete",
    items.map(({ id }) => id),
  );
  return ({ itemIds }) => events.filter(({ subjectId }) => itemIds.some((id) => id === subjectId));
};

/** Records each report in both workspaces. */
export const recordMove: RecorderOf<typeof moveReports> =
  (database, { workspaceId, toWorkspaceId }) =>
  async ({ itemIds }) => {
    const details = { from: await findSlug(database, workspaceId), to: await findSlug(database, toWorkspaceId) };
    const events = await eventsOfItems(database, "report.transfer", itemIds);
    return events.flatMap((event) => [
      { ...event, workspaceId, details },
      { ...event, workspaceId: toWorkspaceId, details },
    ]);
  };
