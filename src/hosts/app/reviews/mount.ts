import {
  commentCountsRoute,
  commentSettingsRoute,
  inboxRoute,
  mailOffRoute,
  mentionCandidatesRoute,
  notificationSettingsRoute,
  readInboxRoute,
  setNotificationsRoute,
} from "../../../contract/reviews/inbox.ts";
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
} from "../../../contract/reviews/threads.ts";
import { hasScope } from "../../../domain/model/access.ts";
import { idNotFound } from "../../../domain/model/common-failures.ts";
import type { Services } from "../../../domain/services.ts";
import type { Threads } from "../../../threads/threads.ts";
import type { ComparePages } from "../../http/changes/compare-thread.ts";
import { commentEntry, inboxEntry, threadEntry } from "../../http/reviews/entries.ts";
import type { Mount } from "../mount.ts";
import { referenceOf } from "../references.ts";
import { mountChanges } from "./changes.ts";
import { createPlaceThread } from "./place-thread.ts";
import { createPlaces } from "./places.ts";

interface Dependencies extends Pick<Services, "reports" | "reviews"> {
  /** The worker threads of the server. */
  threads: Threads;
  comparePages: ComparePages;
}

export function mountRoutes(mount: Mount, { reports, reviews, threads: workers, comparePages }: Dependencies): void {
  const { threads, inbox, digest } = reviews;
  mountChanges(mount, { ...reports, comparePages });
  const places = createPlaces({ ...reports, placeAnchors: createPlaceThread(workers) });

  mount.guarded(commentsRoute, async (caller, query) => {
    const { state: filter, version: versionNo, since, limit, cursor } = query;
    const list = await threads.list(caller, referenceOf(query), { filter, since, limit, cursor });
    const at =
      versionNo === undefined
        ? undefined
        : await places.find(caller, referenceOf(query), { versionNo, threads: list.threads });
    return {
      threads: list.threads.map((thread) => threadEntry(thread, at?.get(thread.id))),
      next_cursor: list.nextCursor,
      counts: list.counts,
      changes_cursor: String(list.seq),
      enabled: list.isEnabled,
      may_comment: list.isEnabled && hasScope(caller, "reports:write"),
      may_manage: list.mayManage,
    };
  });

  mount.guarded(waitForCommentsRoute, async (caller, query) => {
    const { since, seconds } = query;
    const changes = await reviews.wait(caller, referenceOf(query), { since, seconds });
    return {
      threads: changes.threads.map((thread) => threadEntry(thread)),
      changes_cursor: String(changes.seq),
      counts: changes.counts,
    };
  });

  mount.guarded(commentThreadRoute, async (caller, { id }) => threadEntry(await threads.find(caller, id)));

  mount.guarded(createThreadRoute, async (caller, body) => {
    const { anchor, text, only_version: isOnlyVersion } = body;
    return threadEntry(await threads.create(caller, referenceOf(body), { anchor, text, isOnlyVersion }));
  });

  mount.guarded(replyRoute, async (caller, { id, text }) => threadEntry(await threads.reply(caller, id, text)));

  mount.guarded(editCommentRoute, async (caller, { id, text, expected_edited_at: seen }) => {
    const expected = typeof seen === "string" ? Date.parse(seen) : seen;
    const thread = await threads.edit(caller, { id, text, expected });
    const edited = thread.comments.find((comment) => comment.id === id);
    if (edited === undefined) throw idNotFound("Comment", id);
    return commentEntry(edited);
  });

  mount.guarded(deleteCommentRoute, async (caller, { id }) => ({
    ok: true,
    thread_deleted: await threads.remove(caller, id),
  }));

  mount.guarded(resolveThreadRoute, async (caller, { id }) => threadEntry(await threads.setResolved(caller, id, true)));
  mount.guarded(reopenThreadRoute, async (caller, { id }) => threadEntry(await threads.setResolved(caller, id, false)));

  mount.guarded(readCommentsRoute, async (caller, body) => ({
    ok: true,
    unread: await threads.markRead(caller, referenceOf(body), body.ids),
  }));

  mount.guarded(commentCountsRoute, (caller, query) => threads.count(caller, referenceOf(query)));

  mount.guarded(mentionCandidatesRoute, async (caller, query) => {
    const people = await threads.candidates(caller, referenceOf(query), query.q);
    return { people: people.map(({ slug, displayName }) => ({ slug, display_name: displayName })) };
  });

  mount.guarded(commentSettingsRoute, async (caller, body) => {
    await threads.setEnabled(caller, referenceOf(body), body.enabled);
    return { ok: true, enabled: body.enabled };
  });

  mount.guarded(inboxRoute, async (caller, { unread: filter, limit, cursor }) => {
    const { entries, nextCursor, unread } = await inbox.list(caller, { isUnread: filter === "true", limit, cursor });
    return { entries: entries.map(inboxEntry), next_cursor: nextCursor, unread };
  });

  mount.guarded(readInboxRoute, async (caller, { ids }) => {
    await inbox.markRead(caller, ids);
    return { ok: true };
  });

  mount.guarded(notificationSettingsRoute, async (caller) => ({
    mail: await inbox.getsMail(caller),
    can_mail: digest.canMail(caller),
  }));

  mount.guarded(setNotificationsRoute, async (caller, { mail }) => {
    await inbox.setMail(caller, mail);
    return { mail, can_mail: digest.canMail(caller) };
  });

  // The body says nothing that the address doesn't.
  mount.openWithQuery(mailOffRoute, async ({ user, signature }) => {
    await digest.turnOff(user, signature);
    return { ok: true };
  });
}
