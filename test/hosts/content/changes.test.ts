import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deleteCodeRoute } from "../../../src/contract/reports/delete-code.ts";
import { deleteGroupRoute } from "../../../src/contract/reports/named-reports.ts";
import { setVisibilityRoute } from "../../../src/contract/reports/visibility.ts";
import { bearer, noise, publishFiles, read, until } from "../../support/content.ts";
import { createTestDatabase, describeOneEngine, type TestDatabase } from "../../support/engines.ts";
import { type Service, startService, uniqueName, useService } from "../../support/service.ts";

const FILES = { "app.js": "x".repeat(1000), "large.bin": noise(2.5 * 1024 * 1024) };
const PATHS = ["", "index.html", "app.js", "large.bin"];

async function statusesOf(service: Service, code: string, headers = {}): Promise<number[]> {
  const answers = await Promise.all(PATHS.map((path) => read(service, `/${code}/${path}`, headers)));
  return answers.map(({ status }) => status);
}

const all = (status: number) => PATHS.map(() => status);

/** So that everything about it is in memory. */
async function warm(service: Service, code: string, headers = {}): Promise<void> {
  for (let round = 0; round < 5; round++) {
    expect(await statusesOf(service, code, headers)).toEqual(all(200));
    await Promise.all(Array.from({ length: 20 }, () => read(service, `/${code}/app.js`, headers)));
  }
}

describeOneEngine("changes", (engine) => {
  const service = useService({ engine });
  let token: string;

  beforeAll(async () => {
    token = (await service.build.user()).token;
  });

  const setVisibility = (body: { name?: string; code?: string; visibility: "public" | "private" }) =>
    service.client(token).call(setVisibilityRoute, { body });
  const deleteCode = (code: string) => service.client(token).call(deleteCodeRoute, { body: { code } });
  const deleteGroup = (name: string) => service.client(token).call(deleteGroupRoute, { body: { name } });

  const withdrawals: [name: string, (found: { code: string; name: string }) => Promise<unknown>][] = [
    ["withdrawn", ({ code }) => setVisibility({ code, visibility: "private" })],
    ["withdrawn with its group", ({ name }) => setVisibility({ name, visibility: "private" })],
    ["deleted", ({ code }) => deleteCode(code)],
    ["deleted with its group", ({ name }) => deleteGroup(name)],
  ];

  test.each(withdrawals)("a version %s is refused from the very next request on", async (_, withdraw) => {
    const name = uniqueName();
    const code = await publishFiles(service, token, FILES, { name });
    const { headers } = await read(service, `/${code}/app.js`);
    await warm(service, code);
    await withdraw({ code, name });
    expect(await statusesOf(service, code)).toEqual(all(404));
    const held = { "If-None-Match": headers.get("etag") ?? "" };
    expect(await statusesOf(service, code, held)).toEqual(all(404));
    expect(await statusesOf(service, code, { Range: "bytes=0-1" })).toEqual(all(404));
  });

  test("its owner still reads a withdrawn version, and no deleted one", async () => {
    const code = await publishFiles(service, token, FILES);
    await warm(service, code, bearer(token));
    await setVisibility({ code, visibility: "private" });
    expect(await statusesOf(service, code, bearer(token))).toEqual(all(200));
    await deleteCode(code);
    expect(await statusesOf(service, code, bearer(token))).toEqual(all(404));
  });

  test("other versions of the group stay as they are", async () => {
    const name = uniqueName();
    const first = await publishFiles(service, token, FILES, { name });
    const second = await publishFiles(service, token, FILES, { name });
    await Promise.all([warm(service, first), warm(service, second)]);
    await setVisibility({ code: first, visibility: "private" });
    expect(await statusesOf(service, first)).toEqual(all(404));
    expect(await statusesOf(service, second)).toEqual(all(200));
    await deleteCode(second);
    expect(await statusesOf(service, second)).toEqual(all(404));
  });

  test("a version made public is served from the very next request on", async () => {
    const code = await publishFiles(service, token, FILES, { visibility: "private" });
    for (let round = 0; round < 5; round++) expect(await statusesOf(service, code)).toEqual(all(404));
    await warm(service, code, bearer(token));
    await setVisibility({ code, visibility: "public" });
    expect(await statusesOf(service, code)).toEqual(all(200));
  });

  test("a version is served from its publish's answer on", async () => {
    const codes = await Promise.all(Array.from({ length: 8 }, () => publishFiles(service, token)));
    for (const code of codes) expect((await read(service, `/${code}/`)).status).toBe(200);
  });

  test("readers under way never see a withdrawn version after the answer", async () => {
    const code = await publishFiles(service, token, FILES);
    await warm(service, code);
    let isAnswered = false;
    async function keepReading(): Promise<void> {
      for (let late = 0; late < 10; ) {
        const isLate = isAnswered;
        const { status } = await read(service, `/${code}/app.js`);
        if (!isLate) continue;
        expect(status).toBe(404);
        late++;
      }
    }
    const readers = Promise.all(Array.from({ length: 8 }, keepReading));
    await setVisibility({ code, visibility: "private" }).finally(() => {
      isAnswered = true;
    });
    await readers;
  });

  describe("made by a second server on the same database", () => {
    let database: TestDatabase;
    let first: Service;
    let second: Service;
    let owner: string;

    beforeAll(async () => {
      database = await createTestDatabase(engine);
      [first, second] = await Promise.all([startService({ database }), startService({ database })]);
      owner = (await first.build.user()).token;
    });
    afterAll(async () => {
      await Promise.all([first[Symbol.asyncDispose](), second[Symbol.asyncDispose]()]);
      await database.remove();
    });

    /** What the documentation promises: at once on PostgreSQL, within a second on SQLite. */
    async function expectSoon(code: string, status: number): Promise<void> {
      if (engine === "postgres") {
        expect(await statusesOf(first, code)).toEqual(all(status));
        return;
      }
      const isNoticed = async () => (await statusesOf(first, code)).every((found) => found === status) || undefined;
      await until(isNoticed);
      expect(await statusesOf(first, code)).toEqual(all(status));
    }

    test("are noticed: withdrawn, shown again, deleted", async () => {
      const code = await publishFiles(first, owner, FILES);
      await warm(first, code);
      await warm(second, code);
      await second.client(owner).call(setVisibilityRoute, { body: { code, visibility: "private" } });
      await expectSoon(code, 404);
      await second.client(owner).call(setVisibilityRoute, { body: { code, visibility: "public" } });
      await expectSoon(code, 200);
      await second.client(owner).call(deleteCodeRoute, { body: { code } });
      await expectSoon(code, 404);
    });

    test("are noticed: published there, though the code was asked for here", async () => {
      const code = await publishFiles(second, owner, FILES);
      expect(await statusesOf(first, code)).toEqual(all(200));
    });
  });
});
