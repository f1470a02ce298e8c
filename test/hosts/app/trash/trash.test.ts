import { beforeAll, expect, test } from "bun:test";
import { purgeTrashRoute, restoreTrashRoute, trashRoute } from "../../../../src/contract/trash/trash.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { readersOf } from "../../../support/readers.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { statusOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { type TrashActions, trashActionsOf } from "./trash-actions.ts";

const listCase = casesOf<typeof trashRoute>();
const restoreCase = casesOf<typeof restoreTrashRoute>();
const purgeCase = casesOf<typeof purgeTrashRoute>();
const UNKNOWN = "trs_0000000000000000";

describeOneEngine("the trash", (engine) => {
  const service = useService({ engine, environment: { VITRINE_QUOTA_FREE: "1KB" } });
  let act: TrashActions;
  let owner: string;
  let token: string;

  beforeAll(async () => {
    act = trashActionsOf(service);
    ({ slug: owner, token } = await service.build.user());
  });

  /** Deletes a report of three versions, one after the other: the second version alone, then the report. */
  async function deleted(as = token, workspace = owner) {
    const name = uniqueName();
    const [first = "", second = "", third = ""] = await act.publishVersions(as, name, 3);
    await act.deleteCode(as, second);
    await act.deleteGroup(as, name);
    const { entries } = await act.trash(as, { owner: workspace, name });
    const [report, version] = entries;
    if (report === undefined || version === undefined) throw new Error("The trash lacks an entry.");
    return { name, first, second, third, report, version, as, workspace };
  }

  const shared = async () => {
    const organization = await service.build.organization({ roles: ["member", "member", "admin"] });
    const [maker, other, admin] = organization.members;
    if (maker === undefined || other === undefined || admin === undefined) throw new Error("Members are missing.");
    return { ...organization, maker, other, admin };
  };

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

  testCases(() => service, restoreTrashRoute, [
    restoreCase({
      name: "a report, then its version, which returns with its number",
      given: () => deleted(),
      request: ({ report }) => ({ token, body: { ids: [report.id] } }),
      status: 200,
      check: ({ restored }, { report, name, third }) =>
        expect(restored).toEqual([{ id: report.id, kind: "report", name, code: third }]),
      after: async ({ name, version, first, second, third }) => {
        await act.restoreTrash(token, { ids: [version.id] });
        const { versions, current_code } = await act.group(token, name);
        expect(versions.map(({ code, version_no }) => [code, version_no])).toEqual([
          [third, 3],
          [second, 2],
          [first, 1],
        ]);
        expect(current_code).toBe(third);
        expect((await act.read(token, second)).status).toBe(200);
        expect((await act.trash(token, { owner, name })).entries).toEqual([]);
      },
    }),
    restoreCase({
      name: "a version that was current becomes current again",
      given: async () => {
        const name = uniqueName();
        const [, second = ""] = await act.publishVersions(token, name, 2);
        await act.deleteCode(token, second);
        const { entries } = await act.trash(token, { owner, name });
        return { name, second, ids: entries.map(({ id }) => id) };
      },
      request: ({ ids }) => ({ token, body: { ids } }),
      status: 200,
      after: async ({ name, second }) => expect((await act.group(token, name)).current_code).toBe(second),
    }),
    restoreCase({
      name: "a version doesn't replace one that was published since",
      given: async () => {
        const name = uniqueName();
        const [, second = ""] = await act.publishVersions(token, name, 2);
        await act.deleteCode(token, second);
        const { entries } = await act.trash(token, { owner, name });
        const { code } = await act.publish(token, { name });
        return { name, code, ids: entries.map(({ id }) => id) };
      },
      request: ({ ids }) => ({ token, body: { ids } }),
      status: 200,
      after: async ({ name, code }) => expect((await act.group(token, name)).current_code).toBe(code),
    }),
    restoreCase({
      name: "a public version of a report that was made private since returns private",
      given: async () => {
        const name = uniqueName();
        const first = await act.publish(token, { name, visibility: "public" });
        await act.publish(token, { name });
        await act.deleteCode(token, first.code);
        await act.setVisibility(token, { name, visibility: "private" });
        const { entries } = await act.trash(token, { owner, name });
        return { code: first.code, ids: entries.map(({ id }) => id) };
      },
      request: ({ ids }) => ({ token, body: { ids } }),
      status: 200,
      after: async ({ code }) => {
        expect((await act.read(undefined, code)).status).toBe(404);
        expect((await act.read(token, code)).status).toBe(200);
      },
    }),
    restoreCase({
      name: "a version of a report that is shared with another organization since returns private",
      given: async () => {
        const name = uniqueName();
        const first = await act.publish(token, { name });
        await act.publish(token, { name });
        const shareWith = (organization: string) =>
          executeSql(
            service.database,
            `update items set visibility = 'org', organization_id = '${organization}' where name = '${name}'`,
          );
        await executeSql(service.database, `update versions set visibility = 'org' where code = '${first.code}'`);
        await shareWith("org_one");
        await act.deleteCode(token, first.code);
        await shareWith("org_two");
        const { entries } = await act.trash(token, { owner, name });
        return { name, ids: entries.map(({ id }) => id) };
      },
      request: ({ ids }) => ({ token, body: { ids } }),
      status: 200,
      after: async ({ name }) => {
        const { versions } = await act.group(token, name);
        expect(versions.find(({ version_no }) => version_no === 1)?.visibility).toBe("private");
      },
    }),
    restoreCase({
      name: "a version without its report",
      given: () => deleted(),
      request: ({ version }) => ({ token, body: { ids: [version.id] } }),
      status: 409,
      error: /^The report of version 2 was deleted.*restore it first\.$/,
      after: async ({ version, name }) =>
        expect((await act.trash(token, { owner, name })).entries.map(({ id }) => id)).toContain(version.id),
    }),
    restoreCase({
      name: "a name that is taken again",
      given: async () => {
        const given = await deleted();
        await act.publish(token, { name: given.name });
        return given;
      },
      request: ({ report }) => ({ token, body: { ids: [report.id] } }),
      status: 409,
      error: /under another name, such as ".+-2"/,
      after: async ({ name, report, first, third }) => {
        expect((await act.read(token, third)).status).toBe(404);
        const { restored } = await act.restoreTrash(token, { ids: [report.id], name: `${name}-2` });
        expect(restored).toMatchObject([{ name: `${name}-2` }]);
        expect((await act.group(token, `${name}-2`)).versions.map(({ code }) => code)).toEqual([third, first]);
      },
    }),
    restoreCase({
      name: "a new name for two reports",
      given: async () => [await deleted(), await deleted()] as const,
      request: ([one, two]) => ({ token, body: { ids: [one.report.id, two.report.id], name: uniqueName() } }),
      status: 400,
      error: "name can be set for one report only",
    }),
    restoreCase({
      name: "without enough quota",
      given: async () => {
        const free = await service.build.user({ plan: "free" });
        const files = [{ path: "index.html", content: "x".repeat(800) }];
        const { code } = await act.publish(free.token, { files });
        await act.deleteCode(free.token, code);
        await act.publish(free.token, { files });
        const { entries } = await act.trash(free.token, { owner: free.slug });
        return { free, ids: entries.map(({ id }) => id), code };
      },
      request: ({ free, ids }) => ({ token: free.token, body: { ids } }),
      status: 507,
      error: "nothing was restored",
      after: async ({ free, code }) => expect((await act.read(free.token, code)).status).toBe(404),
    }),
    restoreCase({
      name: "an entry of someone else",
      given: async () => ({ given: await deleted(), stranger: await service.build.user() }),
      request: ({ given, stranger }) => ({ token: stranger.token, body: { ids: [given.report.id] } }),
      status: 404,
      error: /^ids\[0\] "trs_.+" not found/,
      after: async ({ given }) => expect(await statusOf(act.restoreTrash(token, { ids: [given.report.id] }))).toBe(200),
    }),
    restoreCase({
      name: "an entry of a colleague",
      given: async () => {
        const given = await shared();
        const name = uniqueName();
        await act.publish(given.maker.token, { name, visibility: "org" });
        await act.deleteGroup(given.maker.token, name);
        const { entries } = await act.trash(given.maker.token, { owner: given.slug });
        return { ...given, name, ids: entries.map(({ id }) => id) };
      },
      request: ({ other, ids }) => ({ token: other.token, body: { ids } }),
      status: 404,
      error: /^ids\[0\] "trs_.+" not found/,
      after: async ({ admin, ids, maker, name }) => {
        await act.restoreTrash(admin.token, { ids });
        expect((await act.group(maker.token, name)).versions).toHaveLength(1);
      },
    }),
    restoreCase({
      name: "an entry of an organization, by a member who has left",
      given: async () => {
        const given = await shared();
        const name = uniqueName();
        await act.publish(given.maker.token, { name });
        await act.deleteGroup(given.maker.token, name);
        const { entries } = await act.trash(given.maker.token, { owner: given.slug });
        await readersOf(service).leave(given.slug, given.maker.slug);
        return { token: await service.build.token({ userSlug: given.maker.slug }), ids: entries.map(({ id }) => id) };
      },
      request: ({ token: left, ids }) => ({ token: left, body: { ids } }),
      status: 404,
      error: /^ids\[0\] "trs_.+" not found/,
    }),
    restoreCase({
      name: "one known and one unknown entry restore nothing",
      given: () => deleted(),
      request: ({ report }) => ({ token, body: { ids: [report.id, UNKNOWN] } }),
      status: 404,
      error: `ids[1] "${UNKNOWN}" not found`,
      after: async ({ name }) => expect(await statusOf(act.group(token, name))).toBe(404),
    }),
    restoreCase({
      name: "no entries",
      given: () => ({}),
      request: () => ({ token, body: { ids: [] } }),
      status: 400,
      error: "ids must have at least 1 entry",
    }),
    restoreCase({
      name: "a name that isn't one",
      given: () => deleted(),
      request: ({ report }) => ({ token, body: { ids: [report.id], name: "Sales" } }),
      status: 400,
      error: /^name "Sales" isn.t valid: it must have 1 to 63 lowercase letters/,
    }),
  ]);

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
      request: () => ({ token, body: { ids: [UNKNOWN], owner } }),
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
