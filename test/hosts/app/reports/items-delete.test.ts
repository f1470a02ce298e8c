import { beforeAll, expect } from "bun:test";
import { deleteItemsRoute, restoreItemsRoute } from "../../../../src/contract/cabinet/items.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { readersOf } from "../../../support/readers.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { statusOf } from "../actions.ts";
import { createFurniture, type Furniture, wrongItems } from "../cabinet/items-support.ts";
import type { OrderActions } from "../cabinet/order-actions.ts";
import { casesOf, testCases } from "../cases.ts";

const deleteCase = casesOf<typeof deleteItemsRoute>();
const restoreCase = casesOf<typeof restoreItemsRoute>();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describeOneEngine("reports deleted together", (engine) => {
  const service = useService({ engine, environment: { VITRINE_QUOTA_FREE: "1KB" } });
  let act: OrderActions;
  let owner: string;
  let token: string;
  let furniture: Furniture;

  beforeAll(async () => {
    furniture = await createFurniture(service);
    ({ act, owner, token } = furniture);
  });

  const furnish = () => furniture.furnish();
  type Furnished = Awaited<ReturnType<Furniture["furnish"]>>;
  const codesOf = ({ one, two, report }: Furnished) => [one.first, one.last, two.first, two.last, report.code];
  const unchanged = (given: Furnished) => furniture.unchanged(given);

  /** Returns all that the owner can see of their reports. */
  async function seen(given: Furnished, as = token) {
    const groups = [];
    for (const { name } of [given.one, given.two]) groups.push(await act.group(as, name));
    const reads = [];
    for (const code of codesOf(given)) reads.push(await (await act.read(as, code)).text());
    return { groups, reads, list: await act.list(as), taxonomy: await act.taxonomy(as, owner) };
  }

  const expectGone = async (given: Furnished) => {
    for (const { name } of [given.one, given.two]) expect(await statusOf(act.group(token, name))).toBe(404);
    for (const code of codesOf(given)) {
      expect((await act.read(undefined, code)).status).toBe(404);
      expect((await act.read(token, code)).status).toBe(404);
      expect(await act.deleteCode(token, code)).toEqual({ ok: true, deleted: false });
    }
    const { groups, standalone } = await act.list(token);
    expect(groups.map(({ name }) => name)).not.toContain(given.one.name);
    expect(standalone.map(({ code }) => code)).not.toContain(given.report.code);
    const { folders, tags } = await act.taxonomy(token, owner);
    expect(folders.find(({ id }) => id === given.before.id)?.item_count).toBe(0);
    expect(tags.find(({ id }) => id === given.kept.id)?.item_count).toBe(0);
  };

  const deleteIt = ({ items }: { items: unknown }) => ({ token, body: { items } });

  /** Creates a member's report in an organization with other people. */
  async function shared() {
    const organization = await service.build.organization({ roles: ["member", "member", "admin"] });
    const [maker, other, admin] = organization.members;
    if (maker === undefined || other === undefined || admin === undefined) throw new Error("Members are missing.");
    const { code } = await act.publish(maker.token, { visibility: "org" });
    return { ...organization, maker, other, admin, code, items: [{ code }] };
  }

  testCases(() => service, deleteItemsRoute, [
    deleteCase({
      name: "named and unnamed reports, by name and by code",
      given: async () => ({ ...(await furnish()), at: Date.now() }),
      request: deleteIt,
      status: 200,
      check: ({ deleted, undo }, { at }) => {
        expect({ deleted, id: undo?.id }).toEqual({ deleted: 3, id: expect.stringMatching(/^del_[0-9A-Za-z]{16}$/) });
        const window = Date.parse(undo?.expires_at ?? "") - at;
        expect(window).toBeGreaterThanOrEqual(30 * DAY);
        expect(window).toBeLessThan(30 * DAY + MINUTE);
      },
      after: expectGone,
    }),
    deleteCase({
      name: "a report named by several of its codes counts once",
      given: () => furnish(),
      request: ({ one }) => deleteIt({ items: [{ code: one.first }, { code: one.last }, { name: one.name }] }),
      status: 200,
      check: ({ deleted }) => expect(deleted).toBe(1),
      after: async ({ one }) => expect(await statusOf(act.group(token, one.name))).toBe(404),
    }),
    deleteCase({
      name: "200 in one request",
      given: async () => {
        const published = await Promise.all(
          Array.from({ length: 200 }, (_, number) => act.publish(token, number % 2 ? { name: uniqueName() } : {})),
        );
        return { items: published.map(({ code }) => ({ code })) };
      },
      request: deleteIt,
      status: 200,
      check: ({ deleted }) => expect(deleted).toBe(200),
      after: async ({ items }) => {
        for (const { code } of [items[0], items[199]].filter((item) => item !== undefined)) {
          expect((await act.read(token, code)).status).toBe(404);
        }
      },
    }),
    deleteCase({
      name: "the name is immediately available to anyone",
      given: async () => ({ ...(await furnish()), stranger: await service.build.user() }),
      request: deleteIt,
      status: 200,
      after: async ({ one, stranger }) => {
        const { code } = await act.publish(stranger.token, { name: one.name });
        expect((await act.group(stranger.token, one.name)).versions).toMatchObject([{ code, version_no: 1 }]);
      },
    }),
    ...wrongItems.map(([name, status, error, items]) =>
      deleteCase({
        name: `items: ${name}`,
        given: () => furnish(),
        request: (given) => deleteIt({ items: items(given) }),
        status,
        error,
        after: unchanged,
      }),
    ),
    deleteCase({
      name: "another user's public report among the caller's",
      given: async () => {
        const other = await service.build.user();
        const { code } = await act.publish(other.token, { visibility: "public" });
        return { ...(await furnish()), code };
      },
      request: ({ items, code }) => deleteIt({ items: [...items, { code }] }),
      status: 404,
      error: /^items\[3\]: version ".*" not found/,
      after: async (given) => {
        await unchanged(given);
        expect((await act.read(undefined, given.code)).status).toBe(200);
      },
    }),
    deleteCase({
      name: "of two workspaces of the caller's",
      given: async () => {
        const { owner: head } = await service.build.organization();
        const own = await service.build.token({ userSlug: head.slug });
        return { token: own, there: await act.publish(head.token), here: await act.publish(own) };
      },
      request: (given) => ({
        token: given.token,
        body: { items: [{ code: given.there.code }, { code: given.here.code }] },
      }),
      status: 400,
      error: "items[1] is in a different workspace than items[0]",
      after: async (given) => expect((await act.read(given.token, given.here.code)).status).toBe(200),
    }),
    deleteCase({
      name: "a colleague's readable report",
      given: shared,
      request: ({ other, items }) => ({ token: other.token, body: { items } }),
      status: 403,
      error: /^You can't delete items\[0\] "[0-9A-Za-z]{16}"\./,
      after: async ({ maker, code }) => expect((await act.read(maker.token, code)).status).toBe(200),
    }),
    deleteCase({
      name: "a member's report by an admin",
      given: shared,
      request: ({ admin, items }) => ({ token: admin.token, body: { items } }),
      status: 200,
      after: async ({ maker, code }) => expect((await act.read(maker.token, code)).status).toBe(404),
    }),
    deleteCase({
      name: "with a delete-only token",
      given: async () => ({
        ...(await furnish()),
        deleter: await service.build.token({ userSlug: owner, scopes: ["reports:delete"] }),
      }),
      request: ({ items, deleter }) => ({ token: deleter, body: { items } }),
      status: 200,
    }),
    deleteCase({
      name: "with a write-only token",
      given: async () => ({
        ...(await furnish()),
        writer: await service.build.token({ userSlug: owner, scopes: ["reports:write"] }),
      }),
      request: ({ items, writer }) => ({ token: writer, body: { items } }),
      status: 403,
      error: "doesn't have the scope reports:delete",
      after: unchanged,
    }),
  ]);

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
