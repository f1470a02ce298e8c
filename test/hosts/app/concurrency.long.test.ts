import { expect, test } from "bun:test";
import type { ResponseOf } from "../../../src/contract/model/route.ts";
import type { groupRoute } from "../../../src/contract/reports/named-reports.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { type Service, uniqueName, useService, useTwoServices } from "../../support/service.ts";
import { type Actions, actionsOf, settle, statusOf } from "./actions.ts";

type Group = ResponseOf<typeof groupRoute>;
const CLIENTS = 20;
const times = <Result>(count: number, make: (index: number) => Result) =>
  Array.from({ length: count }, (_, index) => make(index));

function expectConsistent({ current_code, versions }: Group): void {
  expect(versions.map(({ code }) => code)).toContain(current_code);
  const numbers = versions.map(({ version_no }) => version_no);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
}

/** Tests one process, then two that share a database, which promise the same. */
function testTogether(one: () => Actions, two: () => Actions, build: () => Service["build"]): void {
  const eitherOf = (index: number) => (index % 2 === 0 ? one() : two());
  const newUser = () => build().user();

  test(`${CLIENTS} uploads to one new name: numbers 1 to ${CLIENTS}, and the highest is current`, async () => {
    const { token } = await newUser();
    const name = uniqueName();
    const published = await Promise.all(times(CLIENTS, (i) => eitherOf(i).publish(token, { name })));
    for (const { current_code, versions } of [await one().group(token, name), await two().group(token, name)]) {
      expect(versions.map(({ version_no }) => version_no)).toEqual(times(CLIENTS, (i) => CLIENTS - i));
      expect(new Set(versions.map(({ code }) => code))).toEqual(new Set(published.map(({ code }) => code)));
      expect(current_code).toBe(versions[0]?.code ?? "");
    }
    const { groups } = await one().list(token);
    expect(groups).toMatchObject([{ name, version_count: CLIENTS }]);
  });

  test("sequential uploads each see their own version as current", async () => {
    const { token } = await newUser();
    const name = uniqueName();
    for (let number = 1; number <= 10; number++) {
      const { code } = await eitherOf(number).publish(token, { name });
      expect(await eitherOf(number + 1).group(token, name)).toMatchObject({
        current_code: code,
        versions: expect.arrayContaining([expect.objectContaining({ code, version_no: number })]),
      });
    }
  });

  test("of two users who claim a new name, one gets it", async () => {
    const users = await Promise.all([newUser(), newUser()]);
    const name = uniqueName();
    const { answers, refusals } = await settle(
      times(CLIENTS, (i) => eitherOf(i >> 1).publish(users[i % 2]?.token ?? "", { name })),
    );
    expect(new Set(answers.map(({ owner }) => owner)).size).toBe(1);
    expect(refusals).toEqual(times(CLIENTS / 2, () => 409));
    const winner = users.find(({ slug }) => slug === answers[0]?.owner);
    expect((await one().group(winner?.token ?? "", name)).versions).toHaveLength(CLIENTS / 2);
  });

  test("concurrent uploads, deletions, setlatest and set-visibility: never a 5xx, and the result is consistent", async () => {
    const { token } = await newUser();
    const name = uniqueName();
    const before = await one().publishVersions(token, name, 8);
    const { answers, refusals } = await settle<unknown>(
      before.flatMap((code, i) => [
        eitherOf(i).publish(token, { name }),
        eitherOf(i).setLatest(token, name, code),
        eitherOf(i).setVisibility(token, { name, visibility: i % 3 === 0 ? "public" : "private" }),
        eitherOf(i).setVisibility(token, { code, visibility: "public" }),
        eitherOf(i).setFolder(token, { name, folder: `Drawer/${i % 2}` }),
        ...(i % 2 === 0 ? [eitherOf(i + 1).deleteCode(token, code), eitherOf(i).deleteCode(token, code)] : []),
      ]),
    );
    // A version that was deleted meanwhile doesn't belong to the report any more, and can't be made public.
    expect(refusals.filter((status) => ![400, 404].includes(status))).toEqual([]);
    expect(answers.filter((answer) => Bun.deepMatch({ deleted: true }, answer))).toHaveLength(4);
    const group = await one().group(token, name);
    expectConsistent(group);
    expect(await two().group(token, name)).toEqual(group);
    expect(group.versions.map(({ version_no }) => version_no)).toEqual([16, 15, 14, 13, 12, 11, 10, 9, 8, 6, 4, 2]);
    for (const { code } of group.versions) expect(await one().deleteCode(token, code)).toMatchObject({ deleted: true });
    expect(await statusOf(two().group(token, name))).toBe(404);
    await two().publish((await newUser()).token, { name });
  });

  test("a reader sees a consistent report at any moment", async () => {
    const { token } = await newUser();
    const name = uniqueName();
    await one().publishVersions(token, name, 2);
    const looks: Group[] = [];
    let isOver = false;
    async function change(): Promise<void> {
      for (let number = 0; number < 50; number++) {
        const { code } = await eitherOf(number).publish(token, { name });
        if (number % 2 === 0) await eitherOf(number).deleteCode(token, code);
      }
      isOver = true;
    }
    async function look(): Promise<void> {
      while (!isOver) looks.push(...(await Promise.all(times(4, (i) => eitherOf(i).group(token, name)))));
    }
    await Promise.all([change(), look()]);
    for (const group of looks) expectConsistent(group);
  });

  test("uploads against delete-group on one name: never a 5xx", async () => {
    const { token } = await newUser();
    const name = uniqueName();
    const { refusals } = await settle<unknown>(
      times(CLIENTS, (i) =>
        i % 3 === 2 ? eitherOf(i).deleteGroup(token, name) : eitherOf(i).publish(token, { name }),
      ),
    );
    expect(refusals.filter((status) => status !== 404)).toEqual([]);
    await one().publish(token, { name });
    const group = await two().group(token, name);
    expectConsistent(group);
    expect(await one().deleteGroup(token, name)).toEqual({ ok: true, deleted: group.versions.length });
    expect((await one().list(token)).groups).toEqual([]);
  });

  test("one code deleted by many is deleted once", async () => {
    const { token } = await newUser();
    const { code } = await one().publish(token);
    const answers = await Promise.all(times(8, (i) => eitherOf(i).deleteCode(token, code)));
    expect(answers.filter(({ deleted }) => deleted)).toHaveLength(1);
  });

  test("one report deleted by many is deleted once", async () => {
    const { token } = await newUser();
    const name = uniqueName();
    await one().publishVersions(token, name, 3);
    const { answers, refusals } = await settle(times(8, (i) => eitherOf(i).deleteGroup(token, name)));
    expect({ answers, refusals }).toEqual({ answers: [{ ok: true, deleted: 3 }], refusals: times(7, () => 404) });
  });

  test("of several reports renamed to one name, one gets it", async () => {
    const { token } = await newUser();
    const names = times(6, () => uniqueName());
    const newName = uniqueName();
    await Promise.all(names.map((name) => one().publish(token, { name })));
    const { answers, refusals } = await settle(names.map((name, i) => eitherOf(i).rename(token, name, newName)));
    expect({ answers, refusals }).toEqual({ answers: [{ ok: true, name: newName }], refusals: times(5, () => 409) });
    expect((await one().list(token)).groups).toHaveLength(6);
  });

  test("two reports that take each other's name: never a 5xx, and both still exist", async () => {
    const { token } = await newUser();
    const [a, b] = [uniqueName(), uniqueName()];
    await Promise.all([one().publish(token, { name: a }), one().publish(token, { name: b })]);
    const { refusals } = await settle(
      times(8, (i) => (i % 2 === 0 ? one().rename(token, a, b) : two().rename(token, b, a))),
    );
    expect(refusals.filter((status) => ![404, 409].includes(status))).toEqual([]);
    const { groups } = await one().list(token);
    expect(groups.map(({ name }) => name).toSorted()).toEqual([a, b].toSorted());
  });

  test("one new folder label used by many is one folder in one drawer", async () => {
    const { token } = await newUser();
    const names = times(CLIENTS, () => uniqueName());
    await Promise.all(names.map((name, i) => eitherOf(i).publish(token, { name, folder: "New drawer/New folder" })));
    const groups = await Promise.all(names.map((name) => one().group(token, name)));
    expect(new Set(groups.map(({ folder_id, drawer_id }) => `${folder_id} ${drawer_id}`)).size).toBe(1);
  });

  test("each client sees what another did: read back, deletion, withdrawal", async () => {
    const { token } = await newUser();
    const [kept, deleted] = await Promise.all([
      one().publish(token, { visibility: "public" }),
      one().publish(token, { visibility: "public" }),
    ]);
    for (const { code } of [kept, deleted]) expect((await two().read(undefined, code)).status).toBe(200);
    await one().setVisibility(token, { code: kept.code, visibility: "private" });
    await one().deleteCode(token, deleted.code);
    // Two replicas on SQLite can't notify each other; they may serve old versions for a second.
    const deadline = Date.now() + 1_000;
    const statuses = async () =>
      Promise.all([kept, deleted].map(async ({ code }) => (await two().read(undefined, code)).status));
    let seen = await statuses();
    while (Date.now() < deadline && seen.includes(200)) seen = await statuses();
    expect(seen).toEqual([404, 404]);
  });
}

describeOneEngine("concurrent clients of one server", (engine) => {
  const service = useService({ engine });

  const act = () => actionsOf(service);
  testTogether(act, act, () => service.build);
});

describeOneEngine("concurrent clients of two servers on one database", (engine) => {
  const servers = useTwoServices(engine);
  testTogether(
    () => actionsOf(servers.first),
    () => actionsOf(servers.second),
    () => servers.first.build,
  );
});
