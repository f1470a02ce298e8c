import { beforeAll, expect } from "bun:test";
import { fileItemsRoute } from "../../../../src/contract/cabinet/items.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { many } from "../../../support/many.ts";
import { useService } from "../../../support/service.ts";
import { nextMillisecond } from "../../../support/until.ts";
import { casesOf, testCases } from "../cases.ts";
import { createFurniture, type Furniture, NO_ID, wrongItems } from "./items-support.ts";
import type { OrderActions } from "./order-actions.ts";

const fileCase = casesOf<typeof fileItemsRoute>();

describeOneEngine("reports filed together", (engine) => {
  const service = useService({ engine });
  let act: OrderActions;
  let owner: string;
  let token: string;
  let furniture: Furniture;

  beforeAll(async () => {
    furniture = await createFurniture(service);
    ({ act, owner, token } = furniture);
  });

  const furnish = () => furniture.furnish();
  const unchanged = (given: Awaited<ReturnType<Furniture["furnish"]>>) => furniture.unchanged(given);
  const folderOfReport = (code: string, as?: string) => furniture.folderOfReport(code, as);

  testCases(() => service, fileItemsRoute, [
    fileCase({
      name: "named and unnamed reports, by name and by code",
      given: () => furnish(),
      request: ({ items, folder }) => ({ token, body: { items, folder_id: folder.id } }),
      status: 200,
      check: (answer, { items, before }) =>
        expect(answer).toEqual({ ok: true, updated: 3, undo: [{ items, folder_id: before.id }] }),
      after: async ({ one, two, report, folder }) => {
        expect((await act.group(token, one.name)).folder_id).toBe(folder.id);
        expect((await act.group(token, two.name)).folder_id).toBe(folder.id);
        expect(await folderOfReport(report.code)).toBe(folder.id);
      },
    }),
    fileCase({
      name: "null unfiles",
      given: () => furnish(),
      request: ({ items }) => ({ token, body: { items, folder_id: null } }),
      status: 200,
      after: async ({ one, report }) => {
        expect(await act.group(token, one.name)).toMatchObject({ folder_id: null, folder: null });
        expect(await folderOfReport(report.code)).toBeNull();
      },
    }),
    fileCase({
      name: "a report named by several of its codes counts once",
      given: () => furnish(),
      request: ({ one, folder }) => ({
        token,
        body: { items: [{ code: one.first }, { code: one.last }, { name: one.name }], folder_id: folder.id },
      }),
      status: 200,
      check: (answer, { one, before }) =>
        expect(answer).toEqual({
          ok: true,
          updated: 1,
          undo: [{ items: [{ code: one.first }], folder_id: before.id }],
        }),
      after: async ({ one, folder }) => expect((await act.group(token, one.name)).folder_id).toBe(folder.id),
    }),
    fileCase({
      name: "the date changes with the folder, and nothing else does",
      given: async () => {
        const made = await furnish();
        await act.fileItems(token, { items: [{ name: made.one.name }], folder_id: made.folder.id });
        const [there, elsewhere] = [await act.group(token, made.one.name), await act.group(token, made.two.name)];
        await nextMillisecond();
        return { ...made, there, elsewhere };
      },
      request: ({ items, folder }) => ({ token, body: { items, folder_id: folder.id } }),
      status: 200,
      after: async ({ one, two, there, elsewhere, folder }) => {
        expect(await act.group(token, one.name)).toEqual(there);
        const { folder_changed_at, ...moved } = await act.group(token, two.name);
        expect(elsewhere).toMatchObject({ ...moved, folder_id: expect.any(String) });
        expect(moved.folder_id).toBe(folder.id);
        expect(Date.parse(folder_changed_at ?? "")).toBeGreaterThan(Date.parse(elsewhere.folder_changed_at ?? ""));
      },
    }),
    fileCase({
      name: "200 in one request",
      given: async () => {
        const published = await many(200, () => act.publish(token));
        const folder = await act.createFolder(token, owner);
        return { folder, items: published.map(({ code }) => ({ code })) };
      },
      request: ({ folder, items }) => ({ token, body: { items, folder_id: folder.id } }),
      status: 200,
      check: (answer, { items }) =>
        expect(answer).toEqual({ ok: true, updated: 200, undo: [{ items, folder_id: null }] }),
      after: async ({ folder }) =>
        expect((await act.taxonomy(token, owner)).folders).toContainEqual({ ...folder, item_count: 200 }),
    }),
    ...wrongItems.map(([name, status, error, items]) =>
      fileCase({
        name: `items: ${name}`,
        given: () => furnish(),
        request: (given) => ({ token, body: { items: items(given), folder_id: given.folder.id } }),
        status,
        error,
        after: unchanged,
      }),
    ),
    fileCase({
      name: "into a folder that doesn't exist",
      given: () => furnish(),
      request: ({ items }) => ({ token, body: { items, folder_id: `fld_${NO_ID}` } }),
      status: 404,
      error: `folder_id "fld_${NO_ID}" not found`,
      after: unchanged,
    }),
    fileCase({
      name: "into another user's folder",
      given: async () => {
        const other = await service.build.user();
        return { ...(await furnish()), theirs: await act.createFolder(other.token, other.slug) };
      },
      request: ({ items, theirs }) => ({ token, body: { items, folder_id: theirs.id } }),
      status: 404,
      error: /^folder_id ".*" not found/,
      after: unchanged,
    }),
    fileCase({
      name: "another user's public report among the caller's",
      given: async () => {
        const other = await service.build.user();
        const { code } = await act.publish(other.token, { visibility: "public" });
        return { ...(await furnish()), code };
      },
      request: ({ items, code, folder }) => ({ token, body: { items: [...items, { code }], folder_id: folder.id } }),
      status: 404,
      error: /^items\[3\]: version ".*" not found/,
      after: unchanged,
    }),
    fileCase({
      name: "of two workspaces of the caller's",
      given: async () => {
        const { slug, owner: head } = await service.build.organization();
        const own = await service.build.token({ userSlug: head.slug });
        const [shared, mine] = [await act.publish(head.token), await act.publish(own)];
        return { token: own, shared, mine, folder: await act.createFolder(own, slug) };
      },
      request: (given) => ({
        token: given.token,
        body: { items: [{ code: given.shared.code }, { code: given.mine.code }], folder_id: given.folder.id },
      }),
      status: 400,
      error: "items[1] is in a different workspace than items[0]",
      after: async (given) => expect(await folderOfReport(given.shared.code, given.token)).toBeNull(),
    }),
    fileCase({
      name: "into a folder of another workspace of the caller's",
      given: async () => {
        const { slug, owner: head } = await service.build.organization();
        const own = await service.build.token({ userSlug: head.slug });
        return { token: own, mine: await act.publish(own), folder: await act.createFolder(own, slug) };
      },
      request: (given) => ({
        token: given.token,
        body: { items: [{ code: given.mine.code }], folder_id: given.folder.id },
      }),
      status: 404,
      error: /^folder_id ".*" not found/,
    }),
    fileCase({
      name: "no folder_id",
      given: () => furnish(),
      request: ({ items }) => ({ token, body: { items } }),
      status: 400,
      error: "folder_id is required",
      after: unchanged,
    }),
  ]);
});
