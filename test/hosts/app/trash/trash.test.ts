import { beforeAll, expect, test } from "bun:test";
import { purgeTrashRoute, trashRoute } from "../../../../src/contract/trash/trash.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { statusOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { trashActionsOf } from "./trash-actions.ts";
import { createTrashScene, SMALL_QUOTA, type TrashScene, UNKNOWN_ENTRY } from "./trash-scene.ts";

const listCase = casesOf<typeof trashRoute>();
const purgeCase = casesOf<typeof purgeTrashRoute>();

describeOneEngine("the trash", (engine) => {
  const service = useService({ engine, environment: SMALL_QUOTA });
  let scene: TrashScene;
  let act: TrashScene["act"];
  let owner: string;
  let token: string;

  beforeAll(async () => {
    scene = await createTrashScene(service);
    ({ act, owner, token } = scene);
  });

  const deleted = () => scene.deleted();
  const shared = () => scene.shared();

  testCases(() => service, trashRoute, [
    listCase({
      name: "lists what was deleted, the last first",
      given: () => deleted(),
      request: ({ name }) => ({ token, query: { owner, name } }),
      status: 200,
      check: ({ entries, days, stored_bytes, allowance_bytes, next_cursor }, { name, second, third }) => {
        expect(entries).toMatchObject([
          { kind: "report", name, code: third, version_no: null, versions: 2, reason: "user", free_name: null },
          { kind: "version", name, code: second, version_no: 2, versions: 1, deleted_by: { slug: owner } },
        ]);
        const [report] = entries;
        const window = Date.parse(report?.expires_at ?? "") - Date.parse(report?.deleted_at ?? "");
        expect({ days, window }).toEqual({ days: 30, window: 30 * 24 * 60 * 60_000 });
        expect(stored_bytes).toBeGreaterThanOrEqual(entries.reduce((sum, { size }) => sum + size, 0));
        expect({ allowance_bytes, next_cursor }).toEqual({ allowance_bytes: 10 * 1024 ** 3, next_cursor: null });
      },
    }),
    listCase({
      name: "by the code of any version",
      given: () => deleted(),
      request: ({ first }) => ({ token, query: { owner, code: first } }),
      status: 200,
      check: ({ entries }, { report }) => expect(entries.map(({ id }) => id)).toEqual([report.id]),
    }),
    listCase({
      name: "suggests a free name for a name that is taken again",
      given: async () => {
        const given = await deleted();
        await act.publish(token, { name: given.name });
        return given;
      },
      request: ({ name }) => ({ token, query: { owner, name } }),
      status: 200,
      check: ({ entries }, { name }) => expect(entries.map((entry) => entry.free_name)).toEqual([`${name}-2`, null]),
    }),
    listCase({
      name: "of a workspace of others",
      given: () => deleted(),
      request: () => ({ token, query: { owner: "nobody" } }),
      status: 404,
      error: 'Workspace "nobody" not found',
    }),
    listCase({
      name: "a cursor of another list",
      given: () => deleted(),
      request: () => ({ token, query: { owner, cursor: "AAAA" } }),
      status: 400,
      error: "cursor isn't valid",
    }),
    listCase({
      name: "shows members only what they made",
      given: async () => {
        const given = await shared();
        const [own, others] = [uniqueName(), uniqueName()];
        await act.publish(given.maker.token, { name: own, visibility: "org" });
        await act.publish(given.owner.token, { name: others, visibility: "org" });
        await act.deleteGroup(given.admin.token, own);
        await act.deleteGroup(given.owner.token, others);
        return { ...given, own, others };
      },
      request: ({ maker, slug }) => ({ token: maker.token, query: { owner: slug } }),
      status: 200,
      check: async ({ entries, stored_bytes }, { own, others, admin, other, slug }) => {
        expect(entries.map(({ name }) => name)).toEqual([own]);
        expect(entries[0]?.deleted_by?.slug).toBe(admin.slug);
        expect(stored_bytes).toBeNull();
        const all = await act.trash(admin.token, { owner: slug });
        expect(all.entries.map(({ name }) => name)).toEqual([others, own]);
        expect((await act.trash(other.token, { owner: slug })).entries).toEqual([]);
      },
    }),
  ]);

  test("pages through the trash without gaps", async () => {
    const user = await service.build.user();
    const names = Array.from({ length: 5 }, () => uniqueName());
    for (const name of names) await act.publish(user.token, { name });
    await act.deleteItems(
      user.token,
      names.map((name) => ({ name })),
    );
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { owner: user.slug, limit: "2", ...(cursor === undefined ? {} : { cursor }) };
      const page = await act.trash(user.token, query);
      found.push(...page.entries.map(({ name }) => name ?? ""));
      cursor = page.next_cursor;
    }
    expect(found.toSorted()).toEqual(names.toSorted());
  });

  testCases(() => service, purgeTrashRoute, [
    purgeCase({
      name: "a report, and with it its version",
      given: () => deleted(),
      request: ({ report }) => ({ token, body: { ids: [report.id] } }),
      status: 200,
      check: ({ purged }) => expect(purged).toBe(2),
      after: async ({ name, report, version, second }) => {
        expect((await act.trash(token, { owner, name })).entries).toEqual([]);
        for (const { id } of [report, version]) {
          expect(await statusOf(act.restoreTrash(token, { ids: [id] }))).toBe(404);
        }
        expect((await act.read(token, second)).status).toBe(404);
      },
    }),
    purgeCase({
      name: "everything of a workspace that the caller can restore",
      given: async () => {
        const given = await shared();
        const [own, others] = [uniqueName(), uniqueName()];
        await act.publish(given.maker.token, { name: own });
        await act.publish(given.owner.token, { name: others });
        await act.deleteGroup(given.maker.token, own);
        await act.deleteGroup(given.owner.token, others);
        return { ...given, others };
      },
      request: ({ maker, slug }) => ({ token: maker.token, body: { owner: slug } }),
      status: 200,
      check: ({ purged }) => expect(purged).toBe(1),
      after: async ({ admin, slug, others }) => {
        const { entries, stored_bytes } = await act.trash(admin.token, { owner: slug });
        expect(entries.map(({ name }) => name)).toEqual([others]);
        expect(stored_bytes).toBe(entries[0]?.size ?? -1);
      },
    }),
    purgeCase({
      name: "an entry of someone else",
      given: async () => ({ given: await deleted(), stranger: await service.build.user() }),
      request: ({ given, stranger }) => ({ token: stranger.token, body: { ids: [given.report.id] } }),
      status: 404,
      error: /^ids\[0\] "trs_.+" not found/,
      after: async ({ given }) => expect((await act.trash(token, { owner, name: given.name })).entries).toHaveLength(2),
    }),
    purgeCase({
      name: "both entries and a workspace",
      given: () => ({}),
      request: () => ({ token, body: { ids: [UNKNOWN_ENTRY], owner } }),
      status: 400,
      error: "Specify either ids or owner",
    }),
    purgeCase({
      name: "a workspace of others",
      given: () => ({}),
      request: () => ({ token, body: { owner: "nobody" } }),
      status: 404,
      error: 'Workspace "nobody" not found',
    }),
  ]);

  test("the trash holds as much as the quota, and drops the oldest entries", async () => {
    const free = await service.build.user({ plan: "free" });
    const codes: string[] = [];
    for (const letter of ["a", "b", "c"]) {
      const { code } = await act.publish(free.token, { files: [{ path: "index.html", content: letter.repeat(400) }] });
      await act.deleteCode(free.token, code);
      codes.push(code);
    }
    const { entries, stored_bytes } = await act.trash(free.token, { owner: free.slug });
    expect(entries.map(({ code }) => code)).toEqual([codes[2] ?? "", codes[1] ?? ""]);
    expect(stored_bytes).toBe(800);
  });
});

describeOneEngine("without a trash", (engine) => {
  const service = useService({ engine, environment: { VITRINE_TRASH_DAYS: "0" } });

  test("deletions are permanent and can't be undone", async () => {
    const act = trashActionsOf(service);
    const { slug: owner, token } = await service.build.user();
    const [one, two] = [uniqueName(), uniqueName()];
    for (const name of [one, two]) await act.publish(token, { name });
    expect(await act.deleteItems(token, [{ name: one }])).toEqual({ ok: true, deleted: 1, undo: null });
    expect(await act.deleteGroup(token, two)).toEqual({ ok: true, deleted: 1 });
    expect(await act.trash(token, { owner })).toMatchObject({ entries: [], days: 0, stored_bytes: 0 });
  });
});
