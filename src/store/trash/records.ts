import type { AuditEvent } from "../../domain/model/audit.ts";
import type { Item } from "../../domain/model/entities.ts";
import type { ProtectedThing, RetentionPlace } from "../../domain/trash/ports.ts";
import { engineOf } from "../engine/engine.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import type { RecorderOf } from "../model/records.ts";
import { eventsOfItems } from "../reports/records.ts";
import type { deleteItem, deleteItems, deleteVersion } from "./deleting.ts";
import type { protectItem, protectVersion } from "./protection.ts";
import type { emptyTrash, purgeExpired, purgeTrash } from "./purge.ts";
import type { restoreTrash } from "./restore.ts";
import type { applyRetention } from "./retention.ts";
import type { removeRetention, setRetention } from "./rules.ts";

const ofItem = ({ id, name, workspaceId, currentCode }: Item) => ({
  workspaceId,
  subject: name ?? currentCode,
  subjectId: id,
  code: currentCode,
});

const isRefused = (outcome: object): outcome is { protected: ProtectedThing } | { missing: number } =>
  "protected" in outcome || "missing" in outcome;

export const recordDeletion: RecorderOf<typeof deleteItem> = async (database, { item, bin }) => {
  const [event] = await eventsOfItems(database, "report.delete", [item.id]);
  return (outcome) => {
    if (event === undefined || isRefused(outcome)) return [];
    return [{ ...event, details: { versions: outcome.codes.length, trash: bin !== undefined } }];
  };
};

export const recordVersionDeletion: RecorderOf<typeof deleteVersion> =
  (_, { found: { item, version }, bin }) =>
  (outcome) => {
    if (outcome === undefined || isRefused(outcome)) return [];
    const { code, title, versionNo, visibility } = version;
    const details = { version: versionNo, visibility, trash: bin !== undefined };
    return [{ action: "version.delete", ...ofItem(item), code, title, details }];
  };

export const recordDeletions: RecorderOf<typeof deleteItems> = async (database, { batch: { itemIds }, bin }) => {
  const events = await eventsOfItems(database, "report.delete", itemIds);
  return (outcome) =>
    isRefused(outcome) ? [] : events.map((event) => ({ ...event, details: { trash: bin !== undefined } }));
};

export const recordRestore: RecorderOf<typeof restoreTrash> =
  (database) =>
  async ({ restored }) => {
    const reports = restored.filter(({ kind }) => kind === "report").map(({ itemId }) => itemId);
    const events = await eventsOfItems(database, "report.restore", reports);
    for (const { code, itemId } of restored.filter(({ kind }) => kind === "version")) {
      const [event] = await eventsOfItems(database, "version.restore", [itemId]);
      const version = await database
        .selectFrom("versions")
        .select(["title", "version_no"])
        .where("code", "=", code)
        .executeTakeFirst();
      if (event === undefined || version === undefined) continue;
      events.push({ ...event, code, title: version.title, details: { version: version.version_no } });
    }
    return events;
  };

const PURGED = ["report.purge", "version.purge"] as const;

/** Returns an event for each of the entries, which are still in the trash. */
async function eventsOfEntries(database: Database, ids: readonly string[]): Promise<AuditEvent[]> {
  if (ids.length === 0) return [];
  const rows = await database
    .selectFrom("deletions")
    .select(["workspace_id", "kind", "name", "code", "title", "item_id", "version_no", "versions"])
    .where("id", "in", ids)
    .where("kind", "is not", null)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    action: PURGED[row.kind === "report" ? 0 : 1],
    workspaceId: row.workspace_id,
    subject: row.name ?? row.code,
    subjectId: row.item_id,
    code: row.code,
    title: row.title,
    details: row.kind === "report" ? { versions: row.versions } : { version: row.version_no },
  }));
}

export const recordPurge: RecorderOf<typeof purgeTrash> = async (database, { entries }) => {
  const events = await eventsOfEntries(
    database,
    entries.map(({ id }) => id),
  );
  return ({ entries: purged }) => (purged === 0 ? [] : events);
};

/** One entry for many: emptying the trash is one decision. */
export const recordEmptying: RecorderOf<typeof emptyTrash> =
  (_, { view: { workspaceId } }) =>
  ({ entries }) =>
    entries === 0 ? [] : [{ action: "trash.empty", workspaceId, subject: null, details: { entries } }];

/** Records how many entries of each workspace have expired. */
export const recordExpiry: RecorderOf<typeof purgeExpired> = async (database, { now, limit }) => {
  const rows = await database
    .selectFrom("deletions")
    .select(["workspace_id", "id"])
    .where("expires_at", "<=", now)
    .orderBy("expires_at")
    .limit(limit)
    .execute();
  const byWorkspace = Map.groupBy(rows, ({ workspace_id }) => workspace_id);
  return ({ entries }) =>
    entries === 0
      ? []
      : [...byWorkspace].map(([workspaceId, expired]) => ({
          action: "trash.expire",
          workspaceId,
          subject: null,
          details: { entries: expired.length },
        }));
};

export const recordItemProtection: RecorderOf<typeof protectItem> = async (database, { item, isProtected }) => {
  const [event] = await eventsOfItems(database, isProtected ? "report.protect" : "report.unprotect", [item.id]);
  return () => (event === undefined ? [] : [event]);
};

export const recordVersionProtection: RecorderOf<typeof protectVersion> =
  (_, { found: { item, version }, isProtected }) =>
  () => [
    {
      action: isProtected ? "version.protect" : "version.unprotect",
      ...ofItem(item),
      code: version.code,
      title: version.title,
      details: { version: version.versionNo },
    },
  ];

async function findPlaceTitle(database: Database, place: RetentionPlace): Promise<string | null> {
  if (place.kind === "workspace") return null;
  const found = await database
    .selectFrom(place.kind === "folder" ? "folders" : "tags")
    .select("title")
    .where("id", "=", place.id)
    .executeTakeFirst();
  return found?.title ?? null;
}

export const recordRule: RecorderOf<typeof setRetention> = async (database, { workspace, place, keep, days }) => {
  const title = await findPlaceTitle(database, place);
  const details = { for: place.kind, ...(title === null ? {} : { title }), keep, days };
  return (isSet) =>
    isSet
      ? [
          {
            action: "retention.set",
            workspaceId: workspace.id,
            subject: workspace.slug,
            subjectId: workspace.id,
            details,
          },
        ]
      : [];
};

export const recordRuleRemoval: RecorderOf<typeof removeRetention> = async (database, { workspace, place }) => {
  const title = await findPlaceTitle(database, place);
  const details = { for: place.kind, ...(title === null ? {} : { title }) };
  return (isRemoved) =>
    isRemoved
      ? [
          {
            action: "retention.remove",
            workspaceId: workspace.id,
            subject: workspace.slug,
            subjectId: workspace.id,
            details,
          },
        ]
      : [];
};

const selectRetained = prepared((database, codes: string) =>
  database
    .selectFrom("versions")
    .select(["code", "version_no", "item_id"])
    .where(({ ref }) => engineOf(database).isInTextList(ref("code"), codes))
    .orderBy("item_id")
    .orderBy("version_no"),
);

/** One entry for each report, because a rule can delete very many versions. */
export const recordRetention: RecorderOf<typeof applyRetention> = async (database, { codes }) => {
  const rows = await selectRetained(database, JSON.stringify(codes));
  const byItem = Map.groupBy(rows, ({ item_id }) => item_id);
  const events = await eventsOfItems(database, "retention.apply", [...byItem.keys()]);
  return (outcome) => {
    const gone = new Set(outcome.codes);
    return events.flatMap((event) => {
      const versions = (byItem.get(Number(event.subjectId)) ?? []).filter(({ code }) => gone.has(code));
      return versions.length === 0
        ? []
        : [{ ...event, details: { versions: versions.map(({ version_no }) => String(version_no)) } }];
    });
  };
};
