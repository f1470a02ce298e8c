import { afterAll, beforeAll, expect, test } from "bun:test";
import { fileItemsRoute, tagItemsRoute } from "../../src/contract/items.ts";
import { describeEachEngine } from "../support/engines.ts";
import { type Service, startService, uniqueName } from "../support/service.ts";
import { statusOf } from "./actions.ts";
import { casesOf, testCases } from "./cases.ts";
import { type OrderActions, orderActionsOf } from "./order-actions.ts";

const fileCase = casesOf<typeof fileItemsRoute>();
const tagCase = casesOf<typeof tagItemsRoute>();

const NO_ID = "0000000000000000";
const CODE = "7Kd0aQ2mXw9LbT4e";
type Named = { name: string } | { code: string };

describeEachEngine("items", (engine) => {
  let service: Service;
  let act: OrderActions;
  let owner: string;
  let token: string;

  beforeAll(async () => {
    service = await startService({ engine });
    act = orderActionsOf(service);
    ({ slug: owner, token } = await service.build.user());
  });
  afterAll(() => service[Symbol.asyncDispose]());

  async function group(as = token) {
    const name = uniqueName();
    const codes = await act.publishVersions(as, name, 2);
    return { name, first: codes[0] ?? "", last: codes[1] ?? "" };
  }
  const folderOfReport = async (wanted: string, as = token) =>
    (await act.list(as)).standalone.find(({ code }) => code === wanted)?.folder_id;
  const tagIdsOf = async (name: string, as = token) => (await act.group(as, name)).tags.map(({ id }) => id).toSorted();
  const sorted = (...tags: { id: string }[]) => tags.map(({ id }) => id).toSorted();

  /** Two groups and a report, filed and tagged; and a folder and tags besides. */
  async function furnish(as = token, workspace = owner) {
    const [one, two, report] = [await group(as), await group(as), await act.publish(as)];
    const [before, folder] = [await act.createFolder(as, workspace), await act.createFolder(as, workspace)];
    const kept = await act.createTag(as, workspace, "Kept");
    const [a, b] = [await act.createTag(as, workspace, "A"), await act.createTag(as, workspace, "B", kept.id)];
    const items: Named[] = [{ name: one.name }, { name: two.name }, { code: report.code }];
    await act.fileItems(as, { items, folder_id: before.id });
    await act.tagItems(as, { items, add: [kept.id] });
    return { one, two, report, before, folder, kept, a, b, items };
  }
  type Furnished = Awaited<ReturnType<typeof furnish>>;

  /** Everything is where `furnish` put it. */
  const unchanged = async ({ one, two, report, before, kept }: Furnished) => {
    for (const { name } of [one, two]) {
      expect(await act.group(token, name)).toMatchObject({ folder_id: before.id, tags: [{ id: kept.id }] });
    }
    expect(await folderOfReport(report.code)).toBe(before.id);
  };

  /** References that no call takes, with what is said of them. */
  const wrongItems: readonly [string, number, string | RegExp, (given: Furnished) => unknown][] = [
    ["none", 400, "items must have at least 1 entry.", () => []],
    ["201", 400, "items must have at most 200 entries.", ({ items }) => Array.from({ length: 201 }, () => items[0])],
    ["no list", 400, "items must be an array.", ({ items }) => items[0]],
    ["nothing", 400, "items is required.", () => undefined],
    ["a name", 400, /^items\[1\] must be an object\.$/, ({ items, one }) => [items[0], one.name]],
    [
      "both name and code",
      400,
      "items[1] must have exactly one of name and code.",
      ({ items, one }) => [items[0], { name: one.name, code: one.last }],
    ],
    ["neither", 400, "items[2] must have exactly one of name and code.", ({ items }) => [items[0], items[1], {}]],
    ["a name with NUL", 400, "items[0].name must be valid text without NUL.", () => [{ name: "a\0" }]],
    ["an unknown group", 404, 'items[1] names no group: "none".', ({ items }) => [items[0], { name: "none" }]],
    ["an unknown code", 404, `items[3] names no report: "${CODE}".`, ({ items }) => [...items, { code: CODE }]],
    ["a code as a name", 404, "items[0] names no group", ({ report }) => [{ name: report.code }]],
    [
      "a long name with a line's end, which is quoted in part",
      404,
      `items[0] names no group: "a\\n${"b".repeat(98)}".`,
      () => [{ name: `a\n${"b".repeat(500)}` }],
    ],
  ];

  testCases(() => service, fileItemsRoute, [
    fileCase({
      name: "groups and reports, by name and by code",
      given: () => furnish(),
      request: ({ items, folder }) => ({ token, body: { items, folder_id: folder.id } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, updated: 3 }),
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
      name: "a group by any of its codes, and more than once, counts once",
      given: () => furnish(),
      request: ({ one, folder }) => ({
        token,
        body: { items: [{ code: one.first }, { code: one.last }, { name: one.name }], folder_id: folder.id },
      }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, updated: 1 }),
      after: async ({ one, folder }) => expect((await act.group(token, one.name)).folder_id).toBe(folder.id),
    }),
    fileCase({
      name: "the date changes with the folder, and nothing else does",
      given: async () => {
        const made = await furnish();
        await act.fileItems(token, { items: [{ name: made.one.name }], folder_id: made.folder.id });
        const [there, elsewhere] = [await act.group(token, made.one.name), await act.group(token, made.two.name)];
        await Bun.sleep(2);
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
      name: "200 at once",
      given: async () => {
        const published = await Promise.all(Array.from({ length: 200 }, () => act.publish(token)));
        const folder = await act.createFolder(token, owner);
        return { folder, items: published.map(({ code }) => ({ code })) };
      },
      request: ({ folder, items }) => ({ token, body: { items, folder_id: folder.id } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, updated: 200 }),
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
      name: "into a folder that is not there",
      given: () => furnish(),
      request: ({ items }) => ({ token, body: { items, folder_id: `fld_${NO_ID}` } }),
      status: 404,
      error: `folder_id names no folder: "fld_${NO_ID}".`,
      after: unchanged,
    }),
    fileCase({
      name: "into a folder of others",
      given: async () => {
        const other = await service.build.user();
        return { ...(await furnish()), theirs: await act.createFolder(other.token, other.slug) };
      },
      request: ({ items, theirs }) => ({ token, body: { items, folder_id: theirs.id } }),
      status: 404,
      error: "folder_id names no folder",
      after: unchanged,
    }),
    fileCase({
      name: "one of others among one's own, however public",
      given: async () => {
        const other = await service.build.user();
        const { code } = await act.publish(other.token, { visibility: "public" });
        return { ...(await furnish()), code };
      },
      request: ({ items, code, folder }) => ({ token, body: { items: [...items, { code }], folder_id: folder.id } }),
      status: 404,
      error: "items[3] names no report",
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
      error: "items[1] is of another workspace than items[0]",
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
      error: "folder_id names no folder",
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

  testCases(() => service, tagItemsRoute, [
    tagCase({
      name: "add attaches, and leaves what is there",
      given: () => furnish(),
      request: ({ items, a, b }) => ({ token, body: { items, add: [a.id, b.id, a.id] } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, updated: 3 }),
      after: async ({ one, two, kept, a, b }) => {
        expect(await tagIdsOf(one.name)).toEqual(sorted(kept, a, b));
        expect(await tagIdsOf(two.name)).toEqual(sorted(kept, a, b));
        const counts = (await act.taxonomy(token, owner)).tags.filter(({ id }) => id === a.id);
        expect(counts).toEqual([{ ...a, item_count: 3 }]);
      },
    }),
    tagCase({
      name: "remove detaches, also where it is not attached",
      given: async () => {
        const made = await furnish();
        await act.tagItems(token, { items: [{ name: made.one.name }], add: [made.a.id] });
        return made;
      },
      request: ({ items, a }) => ({ token, body: { items, remove: [a.id] } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, updated: 3 }),
      after: async ({ one, two, kept }) => {
        expect(await tagIdsOf(one.name)).toEqual([kept.id]);
        expect(await tagIdsOf(two.name)).toEqual([kept.id]);
      },
    }),
    tagCase({
      name: "set replaces",
      given: () => furnish(),
      request: ({ items, a, b }) => ({ token, body: { items, set: [a.id, b.id] } }),
      status: 200,
      after: async ({ one, two, a, b }) => {
        expect(await tagIdsOf(one.name)).toEqual(sorted(a, b));
        expect(await tagIdsOf(two.name)).toEqual(sorted(a, b));
      },
    }),
    tagCase({
      name: "an empty set takes all away",
      given: () => furnish(),
      request: ({ items }) => ({ token, body: { items, set: [] } }),
      status: 200,
      after: async ({ one, two }) => {
        expect(await tagIdsOf(one.name)).toEqual([]);
        expect(await tagIdsOf(two.name)).toEqual([]);
      },
    }),
    ...(["add", "remove"] as const).map((mode) =>
      tagCase({
        name: `nothing to ${mode}`,
        given: () => furnish(),
        request: ({ items }) => ({ token, body: { items, [mode]: [] } }),
        status: 200,
        check: (answer) => expect(answer).toEqual({ ok: true, updated: 3 }),
        after: unchanged,
      }),
    ),
    tagCase({
      name: "a group by an older code",
      given: () => furnish(),
      request: ({ one, a }) => ({ token, body: { items: [{ code: one.first }], set: [a.id] } }),
      status: 200,
      after: async ({ one, a }) => expect(await tagIdsOf(one.name)).toEqual([a.id]),
    }),
    ...wrongItems.map(([name, status, error, items]) =>
      tagCase({
        name: `items: ${name}`,
        given: () => furnish(),
        request: (given) => ({ token, body: { items: items(given), set: [given.a.id] } }),
        status,
        error,
        after: unchanged,
      }),
    ),
    ...(["add", "remove", "set"] as const).map((mode) =>
      tagCase({
        name: `${mode} with a tag that is not there`,
        given: () => furnish(),
        request: ({ items, a }) => ({ token, body: { items, [mode]: [a.id, a.id, `tag_${NO_ID}`] } }),
        status: 404,
        error: `${mode}[2] names no tag: "tag_${NO_ID}".`,
        after: unchanged,
      }),
    ),
    tagCase({
      name: "with a tag of others",
      given: async () => {
        const other = await service.build.user();
        return { ...(await furnish()), theirs: await act.createTag(other.token, other.slug) };
      },
      request: ({ items, a, theirs }) => ({ token, body: { items, add: [a.id, theirs.id] } }),
      status: 404,
      error: "add[1] names no tag",
      after: unchanged,
    }),
    tagCase({
      name: "with 101 tags",
      given: () => furnish(),
      request: ({ items, a }) => ({ token, body: { items, add: Array.from({ length: 101 }, () => a.id) } }),
      status: 400,
      error: "add must have at most 100 entries.",
      after: unchanged,
    }),
    ...[{}, { add: [], remove: [] }, { add: [], set: [] }, { add: [], remove: [], set: [] }].map((modes) =>
      tagCase({
        name: `with ${Object.keys(modes).join(" and ") || "none"} of add, remove and set`,
        given: () => furnish(),
        request: ({ items }) => ({ token, body: { items, ...modes } }),
        status: 400,
        error: "Give exactly one of add, remove and set.",
        after: unchanged,
      }),
    ),
    tagCase({
      name: "with a tag that is no text",
      given: () => furnish(),
      request: ({ items }) => ({ token, body: { items, add: [7] } }),
      status: 400,
      error: "add[0] must be a string.",
      after: unchanged,
    }),
  ]);

  test("a plain member files and tags what they may read, and finds nothing else", async () => {
    const { slug, owner: head, members } = await service.build.organization({ roles: ["member"] });
    const member = members[0]?.token ?? "";
    const folder = await act.createFolder(member, slug);
    const tag = await act.createTag(member, slug);
    const [shared, secret, own] = [await group(head.token), await group(head.token), await group(member)];
    await act.setVisibility(head.token, { name: shared.name, visibility: "public" });
    const both = [{ name: shared.name }, { name: own.name }];
    for (const item of [{ name: secret.name }, { code: secret.last }]) {
      expect(await statusOf(act.fileItems(member, { items: [...both, item], folder_id: folder.id }))).toBe(404);
      expect(await statusOf(act.tagItems(member, { items: [...both, item], add: [tag.id] }))).toBe(404);
    }
    expect((await act.group(member, own.name)).folder_id).toBeNull();
    expect(await act.fileItems(member, { items: both, folder_id: folder.id })).toEqual({ ok: true, updated: 2 });
    expect(await act.tagItems(member, { items: both, add: [tag.id] })).toEqual({ ok: true, updated: 2 });
    expect(await act.group(head.token, shared.name)).toMatchObject({ folder_id: folder.id, tags: [{ id: tag.id }] });
  });

  test("a group whose current version was withdrawn is none for a member, by whichever code", async () => {
    const { slug, owner: head, members } = await service.build.organization({ roles: ["member"] });
    const member = members[0]?.token ?? "";
    const tag = await act.createTag(member, slug);
    const { name, first, last } = await group(head.token);
    await act.setVisibility(head.token, { name, visibility: "public" });
    await act.setVisibility(head.token, { code: last, visibility: "private" });
    for (const item of [{ name }, { code: first }, { code: last }]) {
      expect(await statusOf(act.tagItems(member, { items: [item], add: [tag.id] }))).toBe(404);
    }
    expect(await tagIdsOf(name, head.token)).toEqual([]);
  });
});
