import type { CommentEntry, ThreadEntry } from "../../../contract/reviews/fields.ts";
import type { InboxEntry } from "../../../contract/reviews/inbox.ts";
import type { Author, Comment, InboxRecord, Thread } from "../../../domain/reviews/ports.ts";
import { toIso } from "../time.ts";

/** Characters of a comment in a list of the inbox. */
const EXCERPT = 200;

const authorEntry = ({ slug, name, isGuest }: Author) => ({ slug, name, is_guest: isGuest });

export const commentEntry = (comment: Comment): CommentEntry => ({
  id: comment.id,
  author: authorEntry(comment.author),
  text: comment.text,
  mentions: comment.mentions,
  created_at: toIso(comment.createdAt),
  edited_at: comment.editedAt === null ? null : toIso(comment.editedAt),
  deleted: comment.isDeleted,
  is_own: comment.isOwn,
});

export const threadEntry = (thread: Thread, place: ThreadEntry["place"] = null): ThreadEntry => ({
  id: thread.id,
  report: thread.report,
  anchor: thread.anchor,
  version_no: thread.versionNo,
  version_code: thread.versionCode,
  only_version: thread.isOnlyVersion,
  state: thread.resolvedAt === null ? "open" : "resolved",
  resolved_by: thread.resolver && { slug: thread.resolver.slug, display_name: thread.resolver.displayName },
  resolved_at: thread.resolvedAt === null ? null : toIso(thread.resolvedAt),
  addressed_in: thread.addressedIn,
  comments: thread.comments.map(commentEntry),
  comment_count: thread.comments.filter(({ isDeleted }) => !isDeleted).length,
  unread: thread.unread,
  place,
  created_at: toIso(thread.createdAt),
  updated_at: toIso(thread.updatedAt),
});

export const inboxEntry = (record: InboxRecord): InboxEntry => ({
  id: record.id,
  kind: record.kind,
  thread_id: record.threadId,
  comment_id: record.commentId,
  report: { name: record.name, code: record.currentCode, title: record.title },
  author: authorEntry(record.author),
  excerpt: [...record.text].slice(0, EXCERPT).join(""),
  created_at: toIso(record.createdAt),
  read: record.isRead,
});
