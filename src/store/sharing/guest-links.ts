import { sql } from "kysely";
import { governs, type VersionOfItem } from "../../domain/model/access.ts";
import type { Reader } from "../../domain/model/entities.ts";
import { conflict } from "../../domain/model/failure.ts";
import type { GuestLink, GuestLinkChange, GuestSubject, NewGuestLink } from "../../domain/sharing/guest-ports.ts";
import type { Database } from "../engine/schema.ts";
import { findCreators } from "../model/labels.ts";
import { selectVersionOfItem, shownTitle, toVersionOfItem } from "../model/rows.ts";

/** The version that a guest link shows. */
export const shownCode = sql<string>`coalesce(guest_links.code, items.current_code)`;

export const decodeList = (text: string | null): string[] | null => (text === null ? null : JSON.parse(text));
const encodeList = (list: readonly string[] | null) => list && JSON.stringify(list);

const targetOf = (subject: GuestSubject) =>
  subject.item === undefined
    ? { itemId: subject.version.item.id, code: subject.version.version.code }
    : { itemId: subject.item.id, code: null };

export async function addGuestLink(
  database: Database,
  { link, limit }: { link: NewGuestLink; limit: number },
): Promise<boolean> {
  const { itemId, code } = targetOf(link.subject);
  if (!(await lockTarget(database, itemId, code))) return false;
  const { count } = await database
    .selectFrom("guest_links")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("item_id", "=", itemId)
    .executeTakeFirstOrThrow();
  if (count >= limit)
    throw conflict(`This report has ${limit} guest links, which is the limit. Revoke one that you no longer need.`);
  await database
    .insertInto("guest_links")
    .values({
      id: link.id,
      hash: link.hash,
      item_id: itemId,
      code,
      creator_id: link.creatorId,
      label: link.label,
      password_hash: link.passwordHash,
      emails: encodeList(link.emails),
      embed_origins: encodeList(link.embedOrigins),
      created_at: link.createdAt,
      expires_at: link.expiresAt,
      last_used_at: null,
      takes_comments: link.takesComments ? 1 : 0,
      has_preview: link.hasPreview ? 1 : 0,
    })
    .execute();
  return true;
}

/** Returns whether the report and the version exist. Deletions and other new links of the report wait. */
async function lockTarget(database: Database, itemId: number, code: string | null): Promise<boolean> {
  const item = await database
    .selectFrom("items")
    .select("id")
    .where("id", "=", itemId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (item === undefined || code === null) return item !== undefined;
  const version = await database
    .selectFrom("versions")
    .select("code")
    .where("code", "=", code)
    .where("item_id", "=", itemId)
    .executeTakeFirst();
  return version !== undefined;
}

const selectLinks = (database: Database) =>
  database
    .selectFrom("guest_links")
    .innerJoin("items", "items.id", "guest_links.item_id")
    .innerJoin("versions", (join) =>
      join.on("versions.code", "=", shownCode).onRef("versions.item_id", "=", "items.id"),
    )
    .select([
      "guest_links.id",
      "guest_links.label",
      "items.name",
      "guest_links.code",
      shownTitle.as("title"),
      "guest_links.password_hash",
      "guest_links.emails",
      "guest_links.embed_origins",
      "guest_links.creator_id",
      "guest_links.created_at",
      "guest_links.expires_at",
      "guest_links.uses",
      "guest_links.last_used_at",
      "guest_links.takes_comments",
      "guest_links.has_preview",
    ])
    .orderBy("guest_links.created_at", "desc")
    .orderBy("guest_links.id");

type LinkRow = Awaited<ReturnType<ReturnType<typeof selectLinks>["execute"]>>[number];

async function toLinks(database: Database, rows: readonly LinkRow[]): Promise<GuestLink[]> {
  const creators = await findCreators(database, new Set(rows.flatMap(({ creator_id }) => creator_id ?? [])));
  return rows.map((row) => ({
    id: row.id,
    label: row.label,
    name: row.name,
    code: row.code,
    title: row.title,
    hasPassword: row.password_hash !== null,
    emails: decodeList(row.emails),
    embedOrigins: decodeList(row.embed_origins),
    createdAt: row.created_at,
    creator: creators.get(row.creator_id ?? "") ?? null,
    expiresAt: row.expires_at,
    uses: row.uses,
    lastUsedAt: row.last_used_at,
    takesComments: row.takes_comments === 1,
    hasPreview: row.has_preview === 1,
  }));
}

export async function listGuestLinks(
  database: Database,
  { itemId, code }: { itemId: number; code: string | undefined },
): Promise<GuestLink[]> {
  const rows = await selectLinks(database)
    .where("guest_links.item_id", "=", itemId)
    .$if(code !== undefined, (query) => query.where("guest_links.code", "=", code ?? ""))
    .execute();
  return toLinks(database, rows);
}

export async function listGuestLinksIn(
  database: Database,
  { workspaceId, reader, limit }: { workspaceId: string; reader: Reader; limit: number },
): Promise<GuestLink[]> {
  const rows = await selectLinks(database)
    .where("items.workspace_id", "=", workspaceId)
    .$if(!governs(reader), (query) =>
      query.where(({ or, and, eb }) =>
        or([
          eb("items.creator_id", "=", reader.userId),
          and([eb("versions.creator_id", "=", reader.userId), eb("guest_links.code", "is not", null)]),
        ]),
      ),
    )
    .limit(limit)
    .execute();
  return toLinks(database, rows);
}

export async function findGuestLink(
  database: Database,
  id: string,
): Promise<{ link: GuestLink; found: VersionOfItem } | undefined> {
  const rows = await selectLinks(database).where("guest_links.id", "=", id).execute();
  const [link] = await toLinks(database, rows);
  const row = await selectVersionOfItem(database)
    .innerJoin("guest_links", "guest_links.item_id", "items.id")
    .where("versions.code", "=", shownCode)
    .where("guest_links.id", "=", id)
    .executeTakeFirst();
  return link && row && { link, found: toVersionOfItem(row) };
}

export async function updateGuestLink(
  database: Database,
  { id, label, expiresAt, takesComments, hasPreview }: GuestLinkChange,
): Promise<boolean> {
  const updated = await database
    .updateTable("guest_links")
    .set({ label, expires_at: expiresAt, takes_comments: takesComments ? 1 : 0, has_preview: hasPreview ? 1 : 0 })
    .where("id", "=", id)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

export async function removeGuestLink(database: Database, { id }: { id: string; of: VersionOfItem }): Promise<boolean> {
  const removed = await database.deleteFrom("guest_links").where("id", "=", id).executeTakeFirst();
  return removed.numDeletedRows > 0n;
}
