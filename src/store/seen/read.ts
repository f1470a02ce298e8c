import { sql } from "kysely";
import type { SeenReader, SeenRecord } from "../../domain/seen/ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { Database } from "../engine/schema.ts";
import { findCreators } from "../model/labels.ts";
import { EVERYONE, REFUSED } from "./add.ts";

interface Requested {
  itemId: number;
  /** Whose readings take turns. */
  workspaceId: string;
  versions: number;
  readers: number;
}

// PostgreSQL sums big integers as `numeric`, which arrives as text.
const openings = sql<number>`cast(sum(seen.times) as bigint)`.as("openings");
const lastAt = sql<number>`max(seen.last_at)`.as("lastAt");

const selectSeen = (database: Database, itemId: number) =>
  database
    .selectFrom("versions")
    .innerJoin("seen", "seen.code", "versions.code")
    .where("versions.item_id", "=", itemId);

/** Returns what was recorded about a report's versions. */
export async function readSeen(database: Database, _: Engine, requested: Requested): Promise<SeenRecord> {
  const { itemId } = requested;
  const newest = await database
    .selectFrom("versions")
    .select(["code", "version_no as versionNo"])
    .where("item_id", "=", itemId)
    .orderBy("version_no", "desc")
    .limit(requested.versions)
    .execute();
  const [counted, links, readers] = [
    await countVersions(database, newest),
    await countLinks(database, itemId),
    await listReaders(database, requested, newest),
  ];
  const refused = links.find(({ link }) => link === REFUSED);
  return {
    versions: newest.map((version) => ({
      ...version,
      ...(counted.get(version.code) ?? { openings: 0, lastAt: null }),
    })),
    links: links.filter(({ link }) => link !== REFUSED),
    readers,
    refusals: refused === undefined ? null : { openings: refused.openings, lastAt: refused.lastAt },
  };
}

async function countVersions(database: Database, versions: readonly { code: string }[]) {
  if (versions.length === 0) return new Map<string, never>();
  const rows = await database
    .selectFrom("seen")
    .select(["code", openings, lastAt])
    .where("code", "in", codesOf(versions))
    .where("user_id", "=", EVERYONE)
    .where("link", "<>", REFUSED)
    .groupBy("code")
    .execute();
  return new Map(rows.map(({ code, ...counts }) => [code, counts]));
}

const codesOf = (versions: readonly { code: string }[]) => versions.map(({ code }) => code);

const countLinks = (database: Database, itemId: number) =>
  selectSeen(database, itemId)
    .select(["seen.link", openings, lastAt])
    .where("seen.user_id", "=", EVERYONE)
    .groupBy("seen.link")
    .orderBy("lastAt", "desc")
    .orderBy("seen.link")
    .execute();

/** Returns the latest readers. Includes none whose account was deleted. */
async function listReaders(
  database: Database,
  { itemId, readers: limit }: Requested,
  newest: readonly { code: string; versionNo: number }[],
): Promise<SeenReader[]> {
  const rows = await selectSeen(database, itemId)
    .innerJoin("workspaces", "workspaces.id", "seen.workspace_id")
    .select(["seen.user_id as userId", openings, lastAt])
    .where("seen.user_id", "<>", EVERYONE)
    // What is to be deleted because the setting changed is not shown in the meantime.
    .where("workspaces.seen_by", "=", "names")
    .groupBy("seen.user_id")
    .orderBy("lastAt", "desc")
    .orderBy("seen.user_id")
    .limit(limit)
    .execute();
  const ids = rows.map(({ userId }) => userId);
  const people = await findCreators(database, new Set(ids));
  const seenBy = await findSeenVersions(database, ids, newest);
  return rows.flatMap(({ userId, ...counts }) => {
    const person = people.get(userId);
    return person === undefined ? [] : [{ ...person, ...counts, versionNos: seenBy.get(userId) ?? [] }];
  });
}

/** Returns which of the versions these people have opened, newest first. */
async function findSeenVersions(
  database: Database,
  userIds: readonly string[],
  versions: readonly { code: string; versionNo: number }[],
): Promise<ReadonlyMap<string, number[]>> {
  const seen = new Map<string, number[]>();
  if (userIds.length === 0) return seen;
  const rows = await database
    .selectFrom("seen")
    .select(["user_id", "code"])
    .distinct()
    .where("code", "in", codesOf(versions))
    .where("user_id", "in", [...userIds])
    .execute();
  const numbers = new Map(versions.map(({ code, versionNo }) => [code, versionNo]));
  for (const { user_id, code } of rows) seen.set(user_id, [...(seen.get(user_id) ?? []), numbers.get(code) ?? 0]);
  for (const versionNos of seen.values()) versionNos.sort((one, other) => other - one);
  return seen;
}
