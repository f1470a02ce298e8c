import { sql } from "kysely";
import type { Database } from "../../../src/store/engine/schema.ts";
import { MOVED_TABLES } from "../../../src/store/moved-tables.ts";
import type { TestDatabase } from "../../support/engines.ts";
import { addOwner, buildPublication, connectTo, type TestStore } from "../support.ts";
import { fillLater } from "./moving-source-later.ts";

/** Returns all rows of all tables in a fixed order. */
export async function contentsOf(database: TestDatabase): Promise<Record<string, string[]>> {
  const rows: Database = connectTo(database);
  try {
    const contents: Record<string, string[]> = {};
    for (const { name } of MOVED_TABLES) {
      const found = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(rows);
      const asText = (row: Record<string, unknown>) => JSON.stringify(Object.entries(row).toSorted());
      contents[name] = found.rows.map(asText).toSorted();
    }
    return contents;
  } finally {
    await rows.destroy();
  }
}

/** Inserts rows into every table; more items than one batch. */
export async function fill(opened: TestStore): Promise<void> {
  const { store, rows } = opened;
  const owner = await addOwner(opened);
  const { userId: user_id, workspaceId: workspace_id } = owner;
  const titles = ["Umsätze „März“", "売上レポート", "it's 'quoted' \\ and \"double\"", "😀 emoji", "line\nbreak\ttab"];
  for (const [number, title] of titles.entries()) {
    for (const version of ["first", "second"]) {
      await store.publishing.publish(
        buildPublication(owner, { name: `group-${number}`, title: `${title} ${version}` }),
      );
    }
    await store.publishing.publish(buildPublication(owner, { title }));
  }
  const times = { created_at: 1_700_000_000_001, updated_at: 1_700_000_000_002 };
  const later = { created_at: 1_700_000_000_003, expires_at: 4_000_000_000_004 };
  await rows
    .insertInto("sessions")
    .values({
      id: "ses_1",
      ref: "ref",
      token: "token",
      user_id,
      ip_address: null,
      user_agent: "Bröwser",
      ...times,
      expires_at: 4e12,
      authenticated_at: 1_700_000_000_005,
    })
    .execute();
  await rows
    .insertInto("verifications")
    .values({ id: "ver_1", identifier: "x", value: "y", ...times, expires_at: 4e12 })
    .execute();
  await rows
    .insertInto("invitations")
    .values({
      id: "inv_1",
      hash: "h",
      workspace_id,
      inviter_id: user_id,
      role: "member",
      email: null,
      ...later,
    })
    .execute();
  await rows
    .insertInto("request_keys")
    .values({
      user_id,
      workspace_id,
      key: "k",
      fingerprint: "f",
      published: '{"code":"x"}',
      expires_at: 4e12,
    })
    .execute();
  await rows
    .insertInto("drawers")
    .values({ id: "drw_1", workspace_id, title: "D", search_title: "d", label_key: null, created_at: 1 })
    .execute();
  await rows
    .insertInto("folders")
    .values({
      id: "fld_1",
      workspace_id,
      drawer_id: "drw_1",
      title: "F",
      search_title: "f",
      label_key: "f",
      created_at: 1,
    })
    .execute();
  // Children come before their parents in the order of ids.
  for (const [id, parent_id] of [
    ["tag_z", null],
    ["tag_m", "tag_z"],
    ["tag_a", "tag_m"],
  ] as const) {
    await rows
      .insertInto("tags")
      .values({ id, workspace_id, parent_id, title: id, search_title: id, created_at: 1 })
      .execute();
  }
  const items = await rows.selectFrom("items").select("id").orderBy("id").execute();
  for (const { id } of items)
    await rows.insertInto("item_tags").values({ item_id: id, tag_id: "tag_a", workspace_id }).execute();
  await rows
    .updateTable("items")
    .set({ folder_id: "fld_1" })
    .where("id", "=", items[0]?.id ?? 0)
    .execute();
  await rows
    .insertInto("shortcuts")
    .values({ user_id, workspace_id, kind: "tag", ref: "tag_a", created_at: 1 })
    .execute();
  await addMany(rows, { user_id, workspace_id });
  await rows
    .insertInto("deletions")
    .values({ id: "del_1", workspace_id, user_id, snapshot: '{"items":[]}', expires_at: 4e12 })
    .execute();
  const code = "AAAAAAAAAAAAAAA3";
  await rows
    .insertInto("deletions")
    .values({
      ...{ id: "trs_1", workspace_id, user_id, snapshot: "{}", expires_at: 4e12, kind: "version", batch_id: "del_2" },
      ...{ reason: "retention", deleted_at: 5, item_id: items[0]?.id ?? 0, creator_id: user_id, name: "n", code },
      ...{ version_creator_id: user_id, title: "T", version_no: 1, versions: 1, size: 7 },
    })
    .execute();
  await rows
    .insertInto("trashed_versions")
    .values({
      ...{ code, deletion_id: "trs_1", item_id: items[0]?.id ?? 0, version_no: 1, size: 7 },
      ...{ files: "[]", stand_ins: null, other_columns: "{}" },
    })
    .execute();
  await rows
    .insertInto("retention_rules")
    .values({
      ...{ id: "ret_1", workspace_id, place: "fld_1", folder_id: "fld_1", tag_id: null, keep: 3, days: null },
      ...{ set_by: user_id, set_at: 6 },
    })
    .execute();
  await rows
    .insertInto("retired_codes")
    .values([
      { code: "AAAAAAAAAAAAAAA1", retired_at: 5, swept_at: null },
      { code: "AAAAAAAAAAAAAAA2", retired_at: 5, swept_at: null, deletion_id: "del_1" },
      { code, retired_at: 5, swept_at: null, deletion_id: "trs_1" },
    ])
    .execute();
  await rows.insertInto("installation").values({ number: 1, id: "ins_source", created_at: 6 }).execute();
  await rows
    .insertInto("orphans")
    .values({ key: "AAAAAAAAAAAAAAA2.z", first_seen_at: 7, last_seen_at: 8, held_at: 9, confirmed_at: null })
    .execute();
  await store.audit.removeExpired({ before: 10, limit: 1 });
  await rows.insertInto("sweep_hold").values({ number: 1, orphans: 1, objects: 2, held_at: 9 }).execute();
  await rows
    .insertInto("tasks")
    .values({
      name: "sweep",
      holder: null,
      expires_at: null,
      last_started_at: 10,
      last_success_at: 11,
      detail: "Done.",
    })
    .execute();
  await rows
    .insertInto("scrub")
    .values({ number: 1, started_at: 12, after: "AAAAAAAAAAAAAAA1", objects: 1, bytes: 2, last_finished_at: null })
    .execute();
  await rows
    .insertInto("damaged_objects")
    .values({
      key: "AAAAAAAAAAAAAAA1",
      code: "AAAAAAAAAAAAAAA1",
      problem: "it is missing",
      found_at: 13,
      checked_at: 14,
    })
    .execute();
  await rows
    .insertInto("backups")
    .values({
      id: "bkp_1",
      target: "/backups",
      state: "succeeded",
      started_at: 15,
      expires_at: 16,
      finished_at: 17,
      backup: "000001-20261122T091011Z",
      objects: 2,
      bytes: 3,
      copied_bytes: 4,
    })
    .execute();
  await rows
    .insertInto("guest_links")
    .values({
      id: "lnk_1",
      hash: "g",
      item_id: 1,
      code: null,
      creator_id: user_id,
      label: "Vorstand",
      password_hash: null,
      emails: '["ada@example.org"]',
      embed_origins: null,
      created_at: 18,
      expires_at: 4e12,
      uses: 19,
      last_used_at: 20,
    })
    .execute();
  await rows
    .insertInto("guest_codes")
    .values({ link_id: "lnk_1", email_hash: "e", code_hash: "c", tries: 1, expires_at: 4e12 })
    .execute();
  const { current_code } = await rows
    .selectFrom("items")
    .select("current_code")
    .where("id", "=", 1)
    .executeTakeFirstOrThrow();
  await fillLater(rows, { user_id, workspace_id, item_id: 1, code: current_code });
  await rows.deleteFrom("items").where("id", ">", 600).execute();
}

async function addMany(rows: Database, { user_id, workspace_id }: { user_id: string; workspace_id: string }) {
  const many = Array.from({ length: 605 }, (_, number) => ({
    workspace_id,
    creator_id: user_id,
    name: `many-${number}`,
    visibility: "private" as const,
    current_code: "none",
    last_version_no: 1,
    folder_id: null,
    folder_changed_at: null,
    created_at: 1,
    updated_at: number,
    title: "",
    current_creator_id: user_id,
    current_visibility: "private" as const,
    search_text: `many-${number}`,
    sort_title: "",
    sort_name: "",
  }));
  await rows.insertInto("items").values(many).execute();
}
