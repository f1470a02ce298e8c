import { type Selectable, sql } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";
import type { GuestAdmission } from "../../domain/private-links/ports.ts";
import type { GuestUses, OpenGuestLink } from "../../domain/sharing/guest-ports.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database, Schema } from "../engine/schema.ts";
import { selectVersionOfItem, toVersionOfItem } from "../model/rows.ts";
import { decodeList, shownCode } from "./guest-links.ts";

/** Selects guest links with the version that each shows; those of deleted reports and versions have none. */
const selectOpen = (database: Database) =>
  selectVersionOfItem(database)
    .innerJoin("workspaces", "workspaces.id", "items.workspace_id")
    .innerJoin("guest_links", "guest_links.item_id", "items.id")
    .select([
      "workspaces.slug as owner_slug",
      "workspaces.display_name as owner_name",
      "guest_links.id as link_id",
      "guest_links.code as link_code",
      "guest_links.password_hash",
      "guest_links.emails",
      "guest_links.embed_origins",
      "guest_links.expires_at",
      "guest_links.created_at as link_created_at",
      "guest_links.takes_comments",
      "guest_links.has_preview",
    ])
    .where("versions.code", "=", shownCode);

const isOpenAt = (now: Instant) => sql<boolean>`(guest_links.expires_at is null or guest_links.expires_at > ${now})`;

type StoredLimits = "password_hash" | "emails" | "embed_origins" | "takes_comments" | "has_preview";

interface OpenRow extends Pick<Selectable<Schema["guest_links"]>, StoredLimits> {
  link_id: string;
  link_code: string | null;
  link_created_at: Instant;
  expires_at: Instant | null;
  owner_slug: string;
  owner_name: string | null;
}

const toOpen = (row: Parameters<typeof toVersionOfItem>[0] & OpenRow): OpenGuestLink => ({
  id: row.link_id,
  passwordHash: row.password_hash,
  emails: decodeList(row.emails),
  embedOrigins: decodeList(row.embed_origins),
  expiresAt: row.expires_at,
  isLive: row.link_code === null,
  createdAt: row.link_created_at,
  takesComments: row.takes_comments === 1,
  hasPreview: row.has_preview === 1,
  shown: { ...toVersionOfItem(row), ownerSlug: row.owner_slug, ownerName: row.owner_name },
});

const selectByHash = prepared((database, hash: string, now: Instant) =>
  selectOpen(database).where("guest_links.hash", "=", hash).where(isOpenAt(now)),
);

export async function findOpenGuestLink(
  database: Database,
  hash: string,
  now: Instant,
): Promise<OpenGuestLink | undefined> {
  const [row] = await selectByHash(database, hash, now);
  return row && toOpen(row);
}

/** Ids per query, which keeps the number of parameters within the engines' limits. */
const IDS_AT_ONCE = 500;

export async function findOpenGuestLinks(
  database: Database,
  ids: readonly string[],
  now: Instant,
): Promise<OpenGuestLink[]> {
  const open: OpenGuestLink[] = [];
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const rows = await selectOpen(database)
      .where("guest_links.id", "in", ids.slice(start, start + IDS_AT_ONCE))
      .where(isOpenAt(now))
      .execute();
    open.push(...rows.map(toOpen));
  }
  return open;
}

/** Selects with a single query, because it runs for every file of a report. */
const selectAdmission = prepared((database, code: string, id: string, now: Instant) =>
  database
    .selectFrom("versions")
    .innerJoin("guest_links", "guest_links.item_id", "versions.item_id")
    .select(["guest_links.expires_at as expiresAt", "guest_links.embed_origins as embedOrigins"])
    .where("versions.code", "=", code)
    .where("guest_links.id", "=", id)
    .where(({ or, eb }) =>
      or([eb("guest_links.code", "is", null), eb("guest_links.code", "=", eb.ref("versions.code"))]),
    )
    .where(isOpenAt(now)),
);

export async function findGuestAdmission(
  database: Database,
  code: string,
  id: string,
  now: Instant,
): Promise<GuestAdmission | undefined> {
  const [row] = await selectAdmission(database, code, id, now);
  return row && { ...row, embedOrigins: decodeList(row.embedOrigins) };
}

export async function addGuestUses(database: Database, { uses }: { uses: readonly GuestUses[] }): Promise<void> {
  // In one order, so that replicas that count the same links don't wait for each other in a circle.
  const ordered = uses.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  for (const { id, count, lastAt } of ordered) {
    await database
      .updateTable("guest_links")
      .set({
        uses: sql`uses + ${count}`,
        last_used_at: sql`case when last_used_at > ${lastAt} then last_used_at else ${lastAt} end`,
      })
      .where("id", "=", id)
      .execute();
  }
}

export async function setGuestCode(
  database: Database,
  {
    linkId,
    emailHash,
    codeHash,
    expiresAt,
  }: { linkId: string; emailHash: string; codeHash: string; expiresAt: Instant },
): Promise<boolean> {
  // A revocation waits for this row.
  const link = await database
    .selectFrom("guest_links")
    .select("id")
    .where("id", "=", linkId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (link === undefined) return false;
  const row = { code_hash: codeHash, tries: 0, expires_at: expiresAt };
  await database
    .insertInto("guest_codes")
    .values({ link_id: linkId, email_hash: emailHash, ...row })
    .onConflict((known) => known.columns(["link_id", "email_hash"]).doUpdateSet(row))
    .execute();
  return true;
}

export async function redeemGuestCode(
  database: Database,
  use: { linkId: string; emailHash: string; codeHash: string; tries: number; now: Instant },
): Promise<boolean> {
  const tried = await database
    .updateTable("guest_codes")
    .set({ tries: sql`tries + 1` })
    .where("link_id", "=", use.linkId)
    .where("email_hash", "=", use.emailHash)
    .where("tries", "<", use.tries)
    .where("expires_at", ">", use.now)
    .returning("code_hash")
    .executeTakeFirst();
  if (tried?.code_hash !== use.codeHash) return false;
  await database
    .deleteFrom("guest_codes")
    .where("link_id", "=", use.linkId)
    .where("email_hash", "=", use.emailHash)
    .execute();
  return true;
}

export async function clearGuestLinks(
  database: Database,
  { codes, expired, orphaned }: { codes: Instant; expired: Instant; orphaned: Instant },
): Promise<number> {
  await database.deleteFrom("guest_codes").where("expires_at", "<=", codes).execute();
  const removed = await database
    .deleteFrom("guest_links")
    .where(({ or, and, eb, not, exists, selectFrom, fn }) =>
      or([
        eb("expires_at", "<=", expired),
        and([
          eb(fn.coalesce("last_used_at", "created_at"), "<=", orphaned),
          not(exists(selectFrom("items").select("items.id").whereRef("items.id", "=", "guest_links.item_id"))),
          not(exists(selectFrom("deletions").select("id").whereRef("deletions.item_id", "=", "guest_links.item_id"))),
        ]),
      ]),
    )
    .executeTakeFirst();
  return Number(removed.numDeletedRows);
}
