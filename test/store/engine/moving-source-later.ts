import type { Insertable } from "kysely";
import type { Database, Schema } from "../../../src/store/engine/schema.ts";

type Rows = { [Table in keyof Schema]?: Insertable<Schema[Table]> };

interface Ids {
  user_id: string;
  workspace_id: string;
  item_id: number;
  code: string;
}

/** Inserts a row into each table of what people share, see and say, and of programs that they connected. */
export async function fillLater(rows: Database, ids: Ids): Promise<void> {
  for (const [table, row] of Object.entries(rowsOf(ids))) {
    await rows
      .insertInto(table as keyof Schema)
      .values(row)
      .execute();
  }
}

/** In the order of their references. */
function rowsOf({ user_id, workspace_id, item_id, code }: Ids): Rows {
  const thread_id = "thr_1";
  return {
    thumbnails: { code, digest: "d", media_type: "image/png", created_at: 21, image: "iVBORw==" },
    saved_filters: { id: "flt_1", user_id, workspace_id, title: "Märkte", query: '{"q":"x"}', created_at: 22 },
    seen: { code, link: "version", user_id, workspace_id, times: 2, last_at: 23 },
    seen_batches: { id: "bat_1", added_at: 24 },
    shared_people: { id: "shr_1", item_id, code: null, email: "eve@example.org", sharer_id: user_id, created_at: 25 },
    access_requests: { id: "req_1", item_id, code, user_id, message: "Bitte", created_at: 26, declined_at: null },
    review_items: { item_id, seq: 2, comments: 2, is_off: 0, updated_at: 27 },
    threads: {
      ...{ id: thread_id, item_id, seq: 1, changed_seq: 2, comment_seq: 2, version_no: 1, version_code: code },
      ...{ only_version: 0, anchor: '{"kind":"report"}', resolver_id: user_id, resolved_at: 28, addressed_in: null },
      ...{ created_at: 27, updated_at: 28, is_withheld: 1 },
    },
    comments: {
      ...{ id: "com_1", thread_id, seq: 1, author_id: null, guest_name: "Eve „Gast“", guest_link_id: "lnk_1" },
      ...{ text: "Zahl?\n*Welche*", mentions: null, created_at: 27, edited_at: null, deleted_at: 29 },
    },
    thread_reads: { thread_id, user_id, seq: 2 },
    review_reads: { item_id, user_id, seq: 1 },
    inbox: {
      ...{ id: "inb_1", user_id, comment_id: "com_1", kind: "comment", created_at: 27, read_at: null, mailed_at: 30 },
    },
    notification_settings: { user_id, mail: 0 },
    oauth_clients: { id: "cli_1", name: "Agent", redirect_uris: '["http://127.0.0.1/"]', created_at: 31, used_at: 32 },
    oauth_grants: {
      ...{ id: "gnt_1", user_id, workspace_id, client_id: "cli_1", client_name: "Agent", scopes: "reports:read" },
      ...{ resource: "https://vitrine.example.org/mcp", created_at: 33, expires_at: 4e12, refreshed_at: null },
    },
    oauth_secrets: {
      ...{ hash: "s", kind: "refresh", grant_id: "gnt_1", redirect_uri: null, challenge: null },
      ...{ expires_at: 4e12, used_at: null },
    },
    oauth_devices: {
      ...{ hash: "v", user_code: "u", name: "Laptop", requested: "reports:read", expires_at: 4e12, poll_after: 34 },
      ...{ pause: 5_000, answer: null, user_id: null, workspace_id: null, scopes: null },
    },
  };
}
