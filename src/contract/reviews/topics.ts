import type { Topic } from "../model/topic.ts";
import { changesRoute } from "./changes.ts";
import {
  commentCountsRoute,
  commentSettingsRoute,
  inboxRoute,
  mailOffRoute,
  mentionCandidatesRoute,
  notificationSettingsRoute,
  readInboxRoute,
  setNotificationsRoute,
} from "./inbox.ts";
import {
  commentsRoute,
  commentThreadRoute,
  createThreadRoute,
  deleteCommentRoute,
  editCommentRoute,
  readCommentsRoute,
  reopenThreadRoute,
  replyRoute,
  resolveThreadRoute,
  waitForCommentsRoute,
} from "./threads.ts";

export const topics: readonly Topic[] = [
  {
    name: "Comments",
    description: "Discuss reports, passages and elements of them, and see which version addresses which comment.",
    place: 46,
    routes: [
      commentsRoute,
      waitForCommentsRoute,
      commentThreadRoute,
      createThreadRoute,
      replyRoute,
      editCommentRoute,
      deleteCommentRoute,
      resolveThreadRoute,
      reopenThreadRoute,
      readCommentsRoute,
      commentCountsRoute,
      mentionCandidatesRoute,
      commentSettingsRoute,
      inboxRoute,
      readInboxRoute,
      notificationSettingsRoute,
      setNotificationsRoute,
      mailOffRoute,
    ],
  },
  {
    name: "Changes",
    description: "What a reader would see as changed between two versions.",
    place: 46.5,
    routes: [changesRoute],
  },
];
