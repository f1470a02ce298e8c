import { beforeAll, expect, test } from "bun:test";
import { restoreItemsRoute } from "../../../../src/contract/cabinet/items.ts";
import { accountRoute } from "../../../../src/contract/people/account.ts";
import { addSamplesRoute, removeSamplesRoute, samplesRoute } from "../../../../src/contract/publishing/samples.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization } from "../../../support/people.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf, statusOf } from "../actions.ts";

const NAMES = ["checkout-test", "churn-model", "weekly-sales"];

describeOneEngine("sample reports", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let user: Awaited<ReturnType<typeof service.build.user>>;

  beforeAll(async () => {
    user = await service.build.user();
  });

  const add = (token: string, owner: string) => service.client(token).call(addSamplesRoute, { body: { owner } });
  const remove = (token: string, owner: string) => service.client(token).call(removeSamplesRoute, { body: { owner } });
  const list = async (token: string, owner: string) =>
    (await service.client(token).call(samplesRoute, { query: { owner } })).reports;
  const storedBytes = async (token: string) =>
    (await service.client(token).call(accountRoute)).workspaces[0]?.stored_bytes ?? 0;

  test("are added once, count towards the quota, and are removed alone", async () => {
    const { slug, token } = user;
    const own = uniqueName();
    await act.publish(token, { name: own });
    const before = await storedBytes(token);
    // Another user has the name that is tried first.
    await act.publish((await service.build.user()).token, { name: `${slug}-weekly-sales` });
    const first = await add(token, slug);
    expect(first).toMatchObject({ ok: true, added: 3 });
    expect(first.reports.map(({ name }) => name).toSorted()).toEqual([
      `${slug}-checkout-test`,
      `${slug}-churn-model`,
      `${slug}-weekly-sales-2`,
    ]);
    for (const { code, title } of first.reports) {
      const page = await (await act.read(token, code)).text();
      expect(page).toContain(`<title>${title}</title>`);
    }
    expect(await storedBytes(token)).toBeGreaterThan(before + 30_000);
    expect(await add(token, slug)).toEqual({ ...first, added: 0 });
    await act.deleteGroup(token, `${slug}-churn-model`);
    expect(await add(token, slug)).toMatchObject({ added: 1 });
    const { removed, undo } = await remove(token, slug);
    expect(removed).toBe(3);
    expect((await act.list(token)).groups.map(({ name }) => name)).toEqual([own]);
    expect(await storedBytes(token)).toBe(before);
    expect(await remove(token, slug)).toEqual({ ok: true, removed: 0, undo: null });
    await service.client(token).call(restoreItemsRoute, { body: { undo: undo?.id ?? "" } });
    expect(await list(token, slug)).toHaveLength(3);
  });

  test("belong to the member who added them", async () => {
    const { slug, owner, member, stranger } = await addOrganization(service);
    const [mine, theirs] = [await add(owner.token, slug), await add(member.token, slug)];
    expect([mine.added, theirs.added]).toEqual([3, 3]);
    expect((await remove(member.token, slug)).removed).toBe(3);
    expect(await list(owner.token, slug)).toEqual(mine.reports);
    for (const call of [add, remove, list]) expect(await statusOf(call(stranger.token, slug))).toBe(404);
  });

  test("are added once, however often they are requested at the same time", async () => {
    const { slug, token } = await service.build.user();
    await Promise.allSettled(Array.from({ length: 4 }, () => add(token, slug)));
    await add(token, slug);
    const names = (await list(token, slug)).map(({ name }) => name?.replace(`${slug}-`, "").replace(/-\d$/, ""));
    expect(names.toSorted()).toEqual(NAMES);
    expect((await act.list(token)).groups).toHaveLength(3);
  });

  test("need a plan that allows several files", async () => {
    const { slug, token } = await service.build.user({ plan: "free" });
    expect(await statusOf(add(token, slug))).toBe(403);
    expect(await list(token, slug)).toEqual([]);
  });
});
