import { expect, test } from "bun:test";
import {
  commentCountsRoute,
  commentSettingsRoute,
  mentionCandidatesRoute,
  notificationSettingsRoute,
  readInboxRoute,
  setNotificationsRoute,
} from "../../../../src/contract/reviews/inbox.ts";
import {
  commentThreadRoute,
  deleteCommentRoute,
  editCommentRoute,
  readCommentsRoute,
  reopenThreadRoute,
  resolveThreadRoute,
  waitForCommentsRoute,
} from "../../../../src/contract/reviews/threads.ts";
import { describeEachEngine } from "../../../support/engines.ts";
import { uniqueName } from "../../../support/service.ts";
import { statusOf } from "../actions.ts";
import { createCommentScene } from "./comment-scene.ts";

const TEXT_ANCHOR = {
  kind: "text" as const,
  path: "index.html",
  quote: "Hello",
  prefix: "",
  suffix: "",
  start: 0,
  end: 5,
  headings: [],
};

describeEachEngine("comments", (engine) => {
  const { service, act, people, tokens, list, create, reply, inbox, report } = createCommentScene(engine);

  test("a thread is started, answered, edited, resolved, reopened and deleted", async () => {
    const name = await report();
    const first = await create(tokens.owner, { name, text: "Is this right?", anchor: TEXT_ANCHOR });
    expect(first).toMatchObject({ state: "open", version_no: 1, unread: 0, anchor: TEXT_ANCHOR, comment_count: 1 });
    const answered = await reply(tokens.member, first.id, "Yes.");
    expect(answered.comments.map(({ text, is_own }) => [text, is_own])).toEqual([
      ["Is this right?", false],
      ["Yes.", true],
    ]);
    const { counts, threads } = await list(tokens.owner, { name });
    expect(counts).toEqual({ open: 1, addressed: 0, resolved: 0, unread: 1 });
    expect(threads[0]?.unread).toBe(1);
    const own = answered.comments[1]?.id ?? "";
    const member = service.client(tokens.member);
    const edited = await member.call(editCommentRoute, {
      body: { id: own, text: "Yes, it is.", expected_edited_at: null },
    });
    expect(edited.edited_at).not.toBeNull();
    const stale = { id: own, text: "No.", expected_edited_at: null };
    expect(await statusOf(member.call(editCommentRoute, { body: stale }))).toBe(409);
    expect(
      await statusOf(service.client(tokens.owner).call(editCommentRoute, { body: { id: own, text: "No." } })),
    ).toBe(403);
    for (let times = 0; times < 2; times++) {
      const resolved = await member.call(resolveThreadRoute, { body: { id: first.id } });
      expect(resolved).toMatchObject({ state: "resolved", resolved_by: { slug: people.member.slug } });
    }
    const reopened = await member.call(reopenThreadRoute, { body: { id: first.id } });
    expect(reopened).toMatchObject({ state: "open", resolved_by: null, resolved_at: null });
    const root = first.comments[0]?.id ?? "";
    expect(await statusOf(member.call(deleteCommentRoute, { body: { id: root } }))).toBe(403);
    const owner = service.client(tokens.owner);
    expect(await owner.call(deleteCommentRoute, { body: { id: root } })).toEqual({ ok: true, thread_deleted: false });
    expect(await owner.call(deleteCommentRoute, { body: { id: root } })).toEqual({ ok: true, thread_deleted: false });
    expect(await owner.call(deleteCommentRoute, { body: { id: own } })).toEqual({ ok: true, thread_deleted: true });
    expect((await list(tokens.owner, { name })).threads).toEqual([]);
  });

  test("marks as read, one thread and all", async () => {
    const name = await report();
    const [one] = [
      await create(tokens.owner, { name, text: "One" }),
      await create(tokens.owner, { name, text: "Two" }),
    ];
    const member = service.client(tokens.member);
    expect(await member.call(readCommentsRoute, { body: { name, ids: [one.id] } })).toEqual({ ok: true, unread: 1 });
    expect(await member.call(readCommentsRoute, { body: { name } })).toEqual({ ok: true, unread: 0 });
    await reply(tokens.owner, one.id, "Three");
    expect(await member.call(commentCountsRoute, { query: { name } })).toMatchObject({ unread: 1 });
  });

  test("pages through threads, and filters them", async () => {
    const name = await report();
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.push((await create(tokens.owner, { name, text: `${index}` })).id);
    await service.client(tokens.owner).call(resolveThreadRoute, { body: { id: ids[0] ?? "" } });
    const first = await list(tokens.member, { name, limit: 3 });
    const rest = await list(tokens.member, { name, limit: 3, cursor: first.next_cursor ?? "" });
    expect([...first.threads, ...rest.threads].map(({ id }) => id)).toEqual(ids);
    expect(rest.next_cursor).toBeNull();
    expect((await list(tokens.member, { name, state: "open" })).threads).toHaveLength(4);
    expect((await list(tokens.member, { name, state: "resolved" })).threads).toHaveLength(1);
    await reply(tokens.member, ids[2] ?? "", "changed");
    const since = await list(tokens.member, { name, since: first.changes_cursor });
    expect(since.threads.map(({ id }) => id)).toEqual([ids[2] ?? ""]);
    expect(await statusOf(list(tokens.member, { name, cursor: "nonsense" }))).toBe(400);
    expect(await statusOf(list(tokens.member, { name, since: "nonsense" }))).toBe(400);
  });

  test("mentions and replies reach the inbox, as long as the report can be read", async () => {
    const name = await report();
    const thread = await create(tokens.owner, { name, text: `@${people.member.slug}, look` });
    expect(thread.comments[0]?.mentions).toEqual([people.member.slug]);
    const ofThread = async () =>
      (await inbox(tokens.member)).entries.filter(({ thread_id }) => thread_id === thread.id);
    expect((await ofThread()).map(({ kind, excerpt }) => [kind, excerpt])).toEqual([
      ["mention", `@${people.member.slug}, look`],
    ]);
    await reply(tokens.member, thread.id, "Seen");
    const own = (await inbox(tokens.owner)).entries.filter(({ thread_id }) => thread_id === thread.id);
    expect(own.map(({ kind, read }) => [kind, read])).toEqual([["reply", false]]);
    await service.client(tokens.owner).call(readInboxRoute, { body: { ids: own.map(({ id }) => id) } });
    expect((await inbox(tokens.owner)).entries.find(({ id }) => id === own[0]?.id)?.read).toBe(true);
    await act.setVisibility(tokens.owner, { name, visibility: "private" });
    expect(await ofThread()).toEqual([]);
    expect((await inbox(tokens.member)).unread).toBe(0);
  });

  test("the owner turns comments off, and what is there stays readable", async () => {
    const name = await report();
    const thread = await create(tokens.member, { name, text: "Hello" });
    const setting = { body: { name, enabled: false } };
    expect(await statusOf(service.client(tokens.member).call(commentSettingsRoute, setting))).toBe(403);
    expect(await service.client(tokens.owner).call(commentSettingsRoute, setting)).toEqual({
      ok: true,
      enabled: false,
    });
    expect(await statusOf(create(tokens.member, { name, text: "More" }))).toBe(403);
    expect(await statusOf(reply(tokens.owner, thread.id, "More"))).toBe(403);
    expect(await list(tokens.member, { name })).toMatchObject({
      enabled: false,
      may_comment: false,
      may_manage: false,
    });
  });

  test("waits for changes, and goes on from where it stopped", async () => {
    const name = await report();
    const { changes_cursor: since } = await list(tokens.member, { name });
    const waiting = service.client(tokens.member).call(waitForCommentsRoute, { query: { name, since, seconds: 20 } });
    const thread = await create(tokens.owner, { name, text: "Here" });
    const changes = await waiting;
    expect(changes.threads.map(({ id }) => id)).toEqual([thread.id]);
    const next = { name, since: changes.changes_cursor, seconds: 0 };
    expect((await service.client(tokens.member).call(waitForCommentsRoute, { query: next })).threads).toEqual([]);
  });

  test("waits on while only other things about the report change", async () => {
    const name = await report();
    const { changes_cursor: since } = await list(tokens.member, { name });
    const client = service.client(tokens.member);
    const waiting = client.call(waitForCommentsRoute, { query: { name, since, seconds: 20 } });
    for (let version = 0; version < 5; version++) await act.publish(tokens.owner, { name });
    const thread = await create(tokens.owner, { name, text: "Here" });
    expect((await waiting).threads.map(({ id }) => id)).toEqual([thread.id]);
  });

  test("answers changes in their order", async () => {
    const name = await report();
    const { changes_cursor: since } = await list(tokens.member, { name });
    const first = await create(tokens.owner, { name, text: "One" });
    const second = await create(tokens.owner, { name, text: "Two" });
    await reply(tokens.member, first.id, "Again");
    const wait = { name, since, seconds: 0 };
    const changes = await service.client(tokens.member).call(waitForCommentsRoute, { query: wait });
    expect(changes.threads.map(({ id }) => id)).toEqual([second.id, first.id]);
  });

  test("threads have their places in a version", async () => {
    const name = await report();
    await create(tokens.owner, { name, text: "All of it" });
    await create(tokens.owner, { name, text: "Elsewhere", anchor: { ...TEXT_ANCHOR, path: "other.html" } });
    const placesIn = async (version: number) =>
      (await list(tokens.member, { name, version })).threads.map(({ place }) => place?.kind);
    expect(await placesIn(0)).toEqual(["exact", "gone"]);
    expect(await placesIn(1)).toEqual(["exact", "gone"]);
    expect(await statusOf(list(tokens.member, { name, version: 2 }))).toBe(404);
    expect((await list(tokens.member, { name })).threads.map(({ place }) => place)).toEqual([null, null]);
  });

  test("a version says which threads it addresses", async () => {
    const name = await report();
    const thread = await create(tokens.owner, { name, text: "Fix this" });
    const other = await create(tokens.owner, { name: await report(), text: "Elsewhere" });
    expect(await statusOf(act.publish(tokens.owner, { name, addresses: [thread.id, other.id] }))).toBe(400);
    expect(await statusOf(act.publish(tokens.owner, { addresses: [thread.id] }))).toBe(400);
    expect((await act.group(tokens.owner, name)).versions).toHaveLength(1);
    await act.publish(tokens.owner, { name, addresses: [thread.id] });
    const { threads, counts } = await list(tokens.owner, { name });
    expect(threads[0]).toMatchObject({ addressed_in: 2, state: "open" });
    expect(counts).toMatchObject({ open: 0, addressed: 1 });
    expect((await list(tokens.owner, { name, state: "unaddressed" })).threads).toEqual([]);
    const reopened = await service.client(tokens.owner).call(reopenThreadRoute, { body: { id: thread.id } });
    expect(reopened.addressed_in).toBeNull();
  });

  test("comments survive a rename and follow the report into and out of the trash", async () => {
    const name = await report();
    const thread = await create(tokens.owner, { name, text: "Stay" });
    const renamed = uniqueName();
    await act.rename(tokens.owner, name, renamed);
    expect((await list(tokens.owner, { name: renamed })).threads).toHaveLength(1);
    await act.deleteGroup(tokens.owner, renamed);
    const find = () => service.client(tokens.owner).call(commentThreadRoute, { query: { id: thread.id } });
    expect(await statusOf(find())).toBe(404);
    expect((await inbox(tokens.owner)).entries.some(({ thread_id }) => thread_id === thread.id)).toBe(false);
  });

  test("candidates are those who can read the report", async () => {
    const candidates = async (name: string) => {
      const found = await service.client(tokens.owner).call(mentionCandidatesRoute, { query: { name } });
      return found.people.map(({ slug }) => slug).sort();
    };
    const all = [people.owner.slug, people.admin.slug, people.member.slug].sort();
    expect(await candidates(await report("org"))).toEqual(all);
    expect(await candidates(await report("private"))).toEqual([people.owner.slug, people.admin.slug].sort());
  });

  test("mail about the inbox can be turned off", async () => {
    const client = service.client(tokens.member);
    expect(await client.call(notificationSettingsRoute)).toMatchObject({ mail: true });
    expect(await client.call(setNotificationsRoute, { body: { mail: false } })).toMatchObject({ mail: false });
    expect(await client.call(notificationSettingsRoute)).toMatchObject({ mail: false });
  });
});
