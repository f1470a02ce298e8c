import { beforeAll, expect } from "bun:test";
import { restoreTrashRoute } from "../../../../src/contract/trash/trash.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { readersOf } from "../../../support/readers.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { statusOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { createTrashScene, SMALL_QUOTA, type TrashScene, UNKNOWN_ENTRY } from "./trash-scene.ts";

const restoreCase = casesOf<typeof restoreTrashRoute>();

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
      request: ({ report }) => ({ token, body: { ids: [report.id, UNKNOWN_ENTRY] } }),
      status: 404,
      error: `ids[1] "${UNKNOWN_ENTRY}" not found`,
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
});
