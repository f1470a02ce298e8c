import { beforeAll, expect } from "bun:test";
import { deleteItemsRoute } from "../../../../src/contract/cabinet/items.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { statusOf } from "../actions.ts";
import { wrongItems } from "../cabinet/items-support.ts";
import type { OrderActions } from "../cabinet/order-actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { createDeletions, type Deletions, type Furnished } from "./deletion-support.ts";

const deleteCase = casesOf<typeof deleteItemsRoute>();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describeOneEngine("reports deleted together", (engine) => {
  const service = useService({ engine });
  let act: OrderActions;
  let owner: string;
  let token: string;
  let deletions: Deletions;

  beforeAll(async () => {
    deletions = await createDeletions(service);
    ({ act, owner, token } = deletions);
  });

  const furnish = () => deletions.furnish();
  const unchanged = (given: Furnished) => deletions.unchanged(given);
  const expectGone = (given: Furnished) => deletions.expectGone(given);
  const shared = () => deletions.shared();

  const deleteIt = ({ items }: { items: unknown }) => ({ token, body: { items } });

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
});
