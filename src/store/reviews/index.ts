import type { MovedTable } from "../engine/moving/tables.ts";
import { type Records, unrecorded } from "../model/records.ts";
import { addReply, addThread } from "./add.ts";
import { deleteComment, editComment, setCommentsOff, setResolved } from "./change.ts";
import { findCommentKey, findNewestAt, findReviewState, findThreadKey, listHiddenVersions } from "./find.ts";
import { findMailSetting, listInbox, markInboxRead, setMailSetting } from "./inbox.ts";
import { claimMail, findMailReader, listMailDue, releaseMail } from "./mail.ts";
import { countThreads, markRead } from "./marks.ts";
import { countRecent, listAuthors, listCandidates, listParticipants } from "./people.ts";
import { recordCommentDeletion, recordSwitch } from "./records.ts";
import { findThread, listChanged, listKnown, listThreads } from "./threads.ts";

export const reads = {
  listHiddenVersions,
  findReviewState,
  findNewestAt,
  countThreads,
  findThreadKey,
  findCommentKey,
  findThread,
  listKnown,
  listChanged,
  listThreads,
  listParticipants,
  listAuthors,
  listCandidates,
  countRecent,
  listInbox,
  findMailSetting,
  listMailDue,
  findMailReader,
};
export const writes = {
  addThread,
  addReply,
  editComment,
  deleteComment,
  setResolved,
  markRead,
  setCommentsOff,
  markInboxRead,
  setMailSetting,
  claimMail,
  releaseMail,
};

const ITSELF = "The thread itself says who changed it and when.";

export const records: Records<typeof writes> = {
  addThread: unrecorded(ITSELF),
  addReply: unrecorded(ITSELF),
  editComment: unrecorded(ITSELF),
  deleteComment: recordCommentDeletion,
  setResolved: unrecorded(ITSELF),
  markRead: unrecorded("What someone has read concerns no one else."),
  setCommentsOff: recordSwitch,
  markInboxRead: unrecorded("What someone has read concerns no one else."),
  setMailSetting: unrecorded("A setting of one person about their own mail."),
  claimMail: unrecorded("What was mailed to someone concerns no one else."),
  releaseMail: unrecorded("What was mailed to someone concerns no one else."),
};

export const tables: readonly MovedTable[] = [
  { name: "review_items", key: ["item_id"] },
  { name: "threads", key: ["id"], pointsTo: ["users"] },
  { name: "comments", key: ["id"], pointsTo: ["threads", "users"] },
  { name: "thread_reads", key: ["thread_id", "user_id"], pointsTo: ["threads", "users"] },
  { name: "review_reads", key: ["item_id", "user_id"], pointsTo: ["users"] },
  { name: "inbox", key: ["id"], pointsTo: ["comments", "users"] },
  { name: "notification_settings", key: ["user_id"], pointsTo: ["users"] },
];
