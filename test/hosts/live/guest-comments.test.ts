import { beforeAll, expect, test } from "bun:test";
import type { z } from "zod";
import { commentThreadRoute } from "../../../src/client/routes.ts";
import { thread } from "../../../src/contract/reviews/fields.ts";
import { guestThreads } from "../../../src/contract/reviews/guest-comments.ts";
import { commentSettingsRoute, inboxRoute } from "../../../src/contract/reviews/inbox.ts";
import { commentsRoute, createThreadRoute, deleteCommentRoute } from "../../../src/contract/reviews/threads.ts";
import { updateGuestLinkRoute } from "../../../src/contract/sharing/guest-links.ts";
import { COMMENTS_PER_MINUTE } from "../../../src/domain/reviews/limits.ts";
import { PASS_HEADER } from "../../../src/hosts/live/messages.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { uniqueName, useService } from "../../support/service.ts";
import { someAddress } from "../../support/sessions.ts";
import { type Actions, actionsOf } from "../app/actions.ts";
import { type Guests, guestsOf, setGuestPassword } from "../app/sharing/guests.ts";

const REPORT = { kind: "report" };

describeEachEngine("comments by guests", (engine) => {
  const service = useService({ engine });
  let act: Actions;
  let guests: Guests;
  let owner: string;

  beforeAll(async () => {
    act = actionsOf(service);
    guests = guestsOf(service);
    owner = (await service.build.user()).token;
  });

  async function share({ comments = true }: { comments?: boolean } = {}) {
    const name = uniqueName();
    const { code } = await act.publish(owner, { name });
    return { name, code, ...(await guests.create(owner, { name, comments })) };
  }

  const get = (url: string, part: string, headers: Record<string, string> = {}) =>
    fetch(url + part, { headers: { ...someAddress(), ...headers } });
  const list = async (url: string) => guestThreads.parse(await (await get(url, "~comments")).json());
  const idsOf = ({ threads }: z.output<typeof guestThreads>) => threads.map(({ id }) => id);
  const comment = (url: string, body: object, headers: Record<string, string> = {}) =>
    guests.send(url, "~comment", { anchor: REPORT, text: "Is this final?", name: "Eve", ...body }, headers);
  const start = async (url: string, body: object) => thread.parse(await (await comment(url, body)).json());
  const byOwner = (body: { name?: string; code?: string; text: string }) =>
    service.client(owner).call(createThreadRoute, { body });

  test("are written and answered, marked as a guest's, and reach the publisher", async () => {
    const { name, code, url } = await share();
    expect((await guests.opened(url)).comments).toBe(true);
    const started = await start(url, { code });
    expect(started).toMatchObject({ report: { name: null }, version_no: 1, unread: 0 });
    const own = await byOwner({ name, text: "Look here" });
    const replied = await guests.send(url, "~reply", { id: own.id, text: "Where?", name: "Eve" });
    expect(thread.parse(await replied.json()).comments.map(({ author, is_own }) => [author, is_own])).toEqual([
      [{ slug: expect.any(String), name: expect.any(String), is_guest: false }, false],
      [{ slug: null, name: "Eve", is_guest: true }, false],
    ]);
    expect(idsOf(await list(url))).toEqual([started.id, own.id]);
    const { entries } = await service.client(owner).call(inboxRoute, { query: {} });
    const concerned = entries.filter(({ report }) => report.name === name);
    expect(concerned.map(({ kind, author }) => [kind, author.name, author.is_guest]).toSorted()).toEqual([
      ["comment", "Eve", true],
      ["reply", "Eve", true],
    ]);
    const first = started.comments[0]?.id ?? "";
    await service.client(owner).call(deleteCommentRoute, { body: { id: first } });
    expect(idsOf(await list(url))).toEqual([own.id]);
  });

  test("show immediately what others write", async () => {
    const { name, url } = await share();
    const { changes_cursor: since } = await list(url);
    const waiting = get(url, `~comment-changes?since=${since}`);
    await byOwner({ name, text: "New" });
    expect(await (await waiting).json()).not.toEqual({ changes_cursor: since });
  });

  test("are there only where the link lets guests comment", async () => {
    const { name, code, url, id } = await share({ comments: false });
    const own = await byOwner({ name, text: "Among us" });
    const answers = async () => [
      (await get(url, "~comments")).status,
      (await get(url, "~comment-changes?since=0&seconds=0")).status,
      (await comment(url, { code })).status,
      (await guests.send(url, "~reply", { id: own.id, text: "Hi", name: "Eve" })).status,
    ];
    expect((await guests.opened(url)).comments).toBe(false);
    expect(await answers()).toEqual([404, 404, 404, 404]);
    const update = (comments: boolean) => service.client(owner).call(updateGuestLinkRoute, { body: { id, comments } });
    expect((await update(true)).comments).toBe(true);
    expect(await answers()).toEqual([200, 200, 200, 200]);
    const waiting = get(url, `~comment-changes?since=${(await list(url)).changes_cursor}`);
    await update(false);
    await byOwner({ name, text: "Among us again" });
    expect((await waiting).status).toBe(404);
    expect(await answers()).toEqual([404, 404, 404, 404]);
  });

  test("need what the link needs", async () => {
    const { code, url, id } = await share();
    await setGuestPassword(service, id, "correct horse battery");
    expect((await comment(url, { code })).status).toBe(404);
    expect((await get(url, "~comments")).status).toBe(404);
    const { pass = "" } = await guests.opened(url, { password: "correct horse battery" });
    expect((await comment(url, { code }, { [PASS_HEADER]: pass })).status).toBe(200);
    expect((await get(url, "~comments", { [PASS_HEADER]: pass })).status).toBe(200);
    await guests.revoke(owner, id);
    expect((await comment(url, { code }, { [PASS_HEADER]: pass })).status).toBe(404);
    expect((await get(url, "~comments", { [PASS_HEADER]: pass })).status).toBe(404);
  });

  test("are about versions that the link has shown", async () => {
    const name = uniqueName();
    const [first = "", second = ""] = await act.publishVersions(owner, name, 2);
    const live = await guests.create(owner, { name, comments: true });
    const pinned = await guests.create(owner, { code: second, comments: true });
    const old = await byOwner({ code: first, text: "Before the link" });
    const ofSecond = await byOwner({ code: second, text: "Now" });
    const { code: third } = await act.publish(owner, { name });
    const ofThird = await byOwner({ code: third, text: "Later" });
    expect(idsOf(await list(live.url))).toEqual([ofSecond.id, ofThird.id]);
    expect(idsOf(await list(pinned.url))).toEqual([ofSecond.id]);
    expect((await comment(live.url, { code: first })).status).toBe(404);
    expect((await comment(live.url, { code: second })).status).toBe(200);
    expect((await comment(pinned.url, { code: third })).status).toBe(404);
    expect((await comment(pinned.url, { code: (await share()).code })).status).toBe(404);
    for (const [url, id] of [
      [live.url, old.id],
      [pinned.url, ofThird.id],
    ] as const) {
      expect((await guests.send(url, "~reply", { id, text: "Hi", name: "Eve" })).status).toBe(404);
    }
    await act.setLatest(owner, name, first);
    expect(idsOf(await list(live.url))).toContain(old.id);
  });

  test.each([
    [{ name: "" }, "name"],
    [{ name: "n".repeat(61) }, "name"],
    [{ name: undefined }, "name"],
    [{ text: "" }, "text"],
    [{ anchor: { kind: "moon" } }, "anchor"],
    [{ code: undefined }, "code"],
  ])("with %p get a clear error", async (wrong, field) => {
    const { code, url } = await share();
    const response = await comment(url, { code, ...wrong });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringMatching(new RegExp(`^${field}\\b`)) });
    expect(idsOf(await list(url))).toEqual([]);
  });

  test("have a limit for each link, and end when the report takes none", async () => {
    const { name, code, url } = await share();
    for (let index = 0; index < COMMENTS_PER_MINUTE; index++) await start(url, { code });
    const refused = await comment(url, { code });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    const other = await guests.create(owner, { name, comments: true });
    const { id } = await start(other.url, { code });
    await service.client(owner).call(commentSettingsRoute, { body: { name, enabled: false } });
    expect(await list(other.url)).toMatchObject({ enabled: false, may_comment: false });
    expect((await comment(other.url, { code })).status).toBe(403);
    const { comments } = await service.client(owner).call(commentThreadRoute, { query: { id } });
    expect(comments).toHaveLength(1);
    const { threads } = await service.client(owner).call(commentsRoute, { query: { name, limit: "200" } });
    expect(threads).toHaveLength(COMMENTS_PER_MINUTE + 1);
  }, 60_000);
});
