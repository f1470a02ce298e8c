import { beforeAll, expect } from "bun:test";
import { restoreItemsRoute } from "../../../../src/contract/cabinet/items.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { readersOf } from "../../../support/readers.ts";
import { useService } from "../../../support/service.ts";
import { statusOf } from "../actions.ts";
import type { OrderActions } from "../cabinet/order-actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { createDeletions, type Deletions, type Furnished } from "./deletion-support.ts";

const restoreCase = casesOf<typeof restoreItemsRoute>();

describeOneEngine("reports deleted together", (engine) => {
  const service = useService({ engine, environment: { VITRINE_QUOTA_FREE: "1KB" } });
  let act: OrderActions;
  let owner: string;
  let token: string;
  let deletions: Deletions;

  beforeAll(async () => {
    deletions = await createDeletions(service);
    ({ act, owner, token } = deletions);
  });

  const furnish = () => deletions.furnish();
  const expectGone = (given: Furnished) => deletions.expectGone(given);
  const shared = () => deletions.shared();

  /** Returns all that the owner can see of their reports. */
  async function seen(given: Furnished, as = token) {
    const groups = [];
    for (const { name } of [given.one, given.two]) groups.push(await act.group(as, name));
    const reads = [];
    for (const code of deletions.codesOf(given)) reads.push(await (await act.read(as, code)).text());
    return { groups, reads, list: await act.list(as), taxonomy: await act.taxonomy(as, owner) };
  }

  const deleted = async (given: { items: { name: string }[] | { code: string }[] | Furnished["items"] }, as = token) =>
    (await act.deleteItems(as, given.items)).undo?.id ?? "";
  const undoIt = ({ undo }: { undo: unknown }) => ({ token, body: { undo } });

  testCases(() => service, restoreItemsRoute, [
    restoreCase({
      name: "everything is as before, for everyone",
      given: async () => {
        const given = await furnish();
        await act.setLatest(token, given.one.name, given.one.first);
        await act.setVisibility(token, { code: given.one.last, visibility: "public" });
        await act.addShortcut(token, { owner, kind: "group", ref: given.one.name });
        await act.addShortcut(token, { owner, kind: "report", ref: given.report.code });
        const was = { ...(await seen(given)), shortcuts: await act.shortcuts(token, owner) };
        const undo = await deleted(given);
        expect(await act.shortcuts(token, owner)).not.toEqual(was.shortcuts);
        return { ...given, was, undo };
      },
      request: undoIt,
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, restored: 3 }),
      after: async ({ was, undo, ...given }) => {
        expect({ ...(await seen(given)), shortcuts: await act.shortcuts(token, owner) }).toEqual(was);
        expect((await act.read(undefined, given.one.last)).status).toBe(200);
        expect(await statusOf(act.restoreItems(token, undo))).toBe(404);
        const { code } = await act.publish(token, { name: given.one.name });
        expect((await act.group(token, given.one.name)).versions[0]).toMatchObject({ code, version_no: 3 });
      },
    }),
    restoreCase({
      name: "a name that is taken again",
      given: async () => {
        const given = await furnish();
        const undo = await deleted(given);
        const stranger = await service.build.user();
        await act.publish(stranger.token, { name: given.two.name });
        return { ...given, undo };
      },
      request: undoIt,
      status: 409,
      error: /^The name "[^"]+" is taken, so nothing was restored\./,
      after: expectGone,
    }),
    restoreCase({
      name: "without enough quota",
      given: async () => {
        const free = await service.build.user({ plan: "free" });
        const files = [{ path: "index.html", content: "x".repeat(800) }];
        const { code } = await act.publish(free.token, { files });
        const undo = await deleted({ items: [{ code }] }, free.token);
        await act.publish(free.token, { files });
        return { free, undo, code };
      },
      request: ({ free, undo }) => ({ token: free.token, body: { undo } }),
      status: 507,
      error: "nothing was restored",
      after: async ({ free, code }) => expect((await act.read(free.token, code)).status).toBe(404),
    }),
    restoreCase({
      name: "another user's deletion",
      given: async () => ({ undo: await deleted(await furnish()), stranger: await service.build.user() }),
      request: ({ undo, stranger }) => ({ token: stranger.token, body: { undo } }),
      status: 404,
      error: /^undo ".*" not found/,
      after: async ({ undo }) => expect(await statusOf(act.restoreItems(token, undo))).toBe(200),
    }),
    restoreCase({
      name: "an admin's deletion, by the member whose report it was",
      given: async () => {
        const given = await shared();
        return { ...given, undo: await deleted(given, given.admin.token) };
      },
      request: ({ maker, undo }) => ({ token: maker.token, body: { undo } }),
      status: 404,
      error: /^undo ".*" not found/,
      after: async ({ owner: head, undo }) => expect(await statusOf(act.restoreItems(head.token, undo))).toBe(200),
    }),
    restoreCase({
      name: "a member's deletion, by an admin",
      given: async () => {
        const given = await shared();
        return { ...given, undo: await deleted(given, given.maker.token) };
      },
      request: ({ admin, undo }) => ({ token: admin.token, body: { undo } }),
      status: 200,
      after: async ({ maker, code }) => expect((await act.read(maker.token, code)).status).toBe(200),
    }),
    restoreCase({
      name: "by a member who has left",
      given: async () => {
        const given = await shared();
        const undo = await deleted(given, given.maker.token);
        await readersOf(service).leave(given.slug, given.maker.slug);
        const token = await service.build.token({ userSlug: given.maker.slug });
        return { token, undo };
      },
      request: ({ token: left, undo }) => ({ token: left, body: { undo } }),
      status: 404,
      error: /^undo ".*" not found/,
    }),
    restoreCase({
      name: "with a write-only token",
      given: async () => ({
        undo: await deleted(await furnish()),
        writer: await service.build.token({ userSlug: owner, scopes: ["reports:write"] }),
      }),
      request: ({ undo, writer }) => ({ token: writer, body: { undo } }),
      status: 403,
      error: "doesn't have the scope reports:delete",
    }),
    restoreCase({
      name: "an unknown id",
      given: () => ({ undo: "del_0000000000000000" }),
      request: undoIt,
      status: 404,
      error: /^undo ".*" not found/,
    }),
    restoreCase({
      name: "no id",
      given: () => ({ undo: undefined }),
      request: undoIt,
      status: 400,
      error: "undo is required",
    }),
  ]);
});
