import type { Generated } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";
import type { InboxKind } from "../../domain/reviews/ports.ts";

/** A report that has, or had, comments. Every change of its threads takes the next number. */
interface ReviewItems {
  item_id: number;
  seq: number;
  /** Comments ever added, which a limit is for. */
  comments: number;
  is_off: number;
  updated_at: Instant;
}

interface Threads {
  id: string;
  item_id: number;
  /** The number under which it was started. */
  seq: number;
  /** The number of its last change. */
  changed_seq: number;
  /** The number of its last comment. */
  comment_seq: number;
  version_no: number;
  version_code: string;
  only_version: number;
  /** JSON. */
  anchor: string;
  resolver_id: string | null;
  resolved_at: Instant | null;
  addressed_in: number | null;
  /** Whether its version was deleted and fewer people could read that than the report. */
  is_withheld: Generated<number>;
  created_at: Instant;
  updated_at: Instant;
}

interface Comments {
  id: string;
  thread_id: string;
  seq: number;
  /** Null for guests and deleted accounts. */
  author_id: string | null;
  guest_name: string | null;
  /** The link through which a guest wrote it, which may be gone. */
  guest_link_id: string | null;
  text: string;
  /** JSON: IDs of users. */
  mentions: string | null;
  created_at: Instant;
  edited_at: Instant | null;
  deleted_at: Instant | null;
}

/** Up to which comment someone has read a thread. */
interface ThreadReads {
  thread_id: string;
  user_id: string;
  seq: number;
}

/** Up to which comment someone has read all threads of a report. */
interface ReviewReads {
  item_id: number;
  user_id: string;
  seq: number;
}

interface Inbox {
  id: string;
  user_id: string;
  comment_id: string;
  kind: InboxKind;
  created_at: Instant;
  read_at: Instant | null;
  mailed_at: Instant | null;
}

interface NotificationSettings {
  user_id: string;
  mail: number;
}

declare module "../engine/schema.ts" {
  interface Schema {
    review_items: ReviewItems;
    threads: Threads;
    comments: Comments;
    thread_reads: ThreadReads;
    review_reads: ReviewReads;
    inbox: Inbox;
    notification_settings: NotificationSettings;
  }
}
