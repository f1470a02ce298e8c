import type { Item } from "../../domain/model/entities.ts";
import type { RecorderOf } from "../model/records.ts";
import type { deleteComment, setCommentsOff } from "./change.ts";

const described = ({ id, workspaceId, name, currentCode }: Item) => ({
  workspaceId,
  subject: name ?? currentCode,
  subjectId: id,
  code: currentCode,
});

/** What someone does to their own comments is no one else's concern. */
export const recordCommentDeletion: RecorderOf<typeof deleteComment> =
  (_, { item, id, isOwn }) =>
  () =>
    isOwn ? [] : [{ action: "comment.delete", ...described(item), details: { comment: id } }];

export const recordSwitch: RecorderOf<typeof setCommentsOff> =
  (_, { item, isOff }) =>
  () => [{ action: isOff ? "comments.turn_off" : "comments.turn_on", ...described(item) }];
