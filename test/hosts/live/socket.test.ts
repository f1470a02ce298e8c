import { beforeAll, describe, expect, test } from "bun:test";
import { BEAT_INTERVAL, REPLICA_LIFETIME } from "../../../src/events/replicas.ts";
import { until } from "../../support/content.ts";
import { createTestDatabase, describeOneEngine } from "../../support/engines.ts";
import { startService, uniqueName, useOwnService } from "../../support/service.ts";
import { pause } from "../../support/until.ts";
import { actionsOf } from "../app/actions.ts";
import { knock, type Reader, readLive } from "./readers.ts";

describeOneEngine("the socket of a live link", (engine) => {
  const service = useOwnService({ engine });
  const act = actionsOf(service);
  let token: string;

  beforeAll(async () => {
    token = (await service.build.user({ slug: "ada" })).token;
    // A replica that has just started may repeat its messages once, because it may have missed something before.
    if (engine === "postgres") await pause(REPLICA_LIFETIME + 2 * BEAT_INTERVAL, "a window of the server");
  });

  async function publishNamed(count = 1) {
    const name = uniqueName();
    const codes = await act.publishVersions(token, name, count, { visibility: "public" });
    return { name, codes, link: `${service.contentUrl}/@ada/${name}/` };
  }

  const expectGone = async (reader: Reader) => {
    expect(await reader.next()).toEqual({ type: "gone" });
    const { code } = await reader.ended;
    expect(code).toBe(1000);
  };

  test("sends the current version on arrival, and every new version to all readers", async () => {
    const { name, codes, link } = await publishNamed();
    const readers = await Promise.all([readLive(link), readLive(link), readLive(link)]);
    for (const reader of readers) {
      expect(await reader.next()).toEqual({
        type: "hello",
        name,
        code: codes[0] ?? "",
        version_no: 1,
        title: "Version 1",
        storage: "none",
        created_at: expect.stringMatching(/Z$/),
        src: `${service.contentUrl}/${codes[0]}/`,
      });
    }
    const { code } = await act.publish(token, { name, title: "Next" });
    for (const reader of readers) {
      expect(await reader.next()).toMatchObject({ type: "version", name, code, version_no: 2, title: "Next" });
    }
    for (const { socket } of readers) socket.close();
  });

  test("announces setlatest, and the version that follows a deleted one", async () => {
    const { name, codes, link } = await publishNamed(3);
    const [first = "", second = "", third = ""] = codes;
    const reader = await readLive(link);
    expect(await reader.next()).toMatchObject({ code: third });
    await act.setLatest(token, name, first);
    expect(await reader.next()).toMatchObject({ type: "version", code: first, version_no: 1 });
    await act.setLatest(token, name, third);
    expect(await reader.next()).toMatchObject({ code: third });
    await act.deleteCode(token, third);
    expect(await reader.next()).toMatchObject({ code: second, version_no: 2 });
    reader.socket.close();
  });

  test("continues under a new name, while the old one is free", async () => {
    const { name, codes, link } = await publishNamed();
    const newName = uniqueName();
    const reader = await readLive(link);
    await reader.next();
    await act.rename(token, name, newName);
    expect(await reader.next()).toMatchObject({ type: "version", name: newName, code: codes[0] ?? "" });
    const { code } = await act.publish(token, { name: newName });
    expect(await reader.next()).toMatchObject({ code, name: newName });
    expect((await knock(link, { Origin: service.contentUrl })).status).toBe(404);
    reader.socket.close();
  });

  const deleteCurrent = async (name: string) => {
    const { current_code } = await act.group(token, name);
    await act.deleteCode(token, current_code);
  };

  test.each([
    ["the report is made private", 1, (name: string) => act.setVisibility(token, { name, visibility: "private" })],
    ["the report is deleted", 1, (name: string) => act.deleteGroup(token, name)],
    [
      "its current version is made private",
      1,
      async (name: string) => {
        const { current_code } = await act.group(token, name);
        await act.setVisibility(token, { code: current_code, visibility: "private" });
      },
    ],
    ["its last version is deleted", 1, deleteCurrent],
    ["a private version follows the deleted one", 2, deleteCurrent],
    ["it is rolled back to a private version", 2, (name: string, first: string) => act.setLatest(token, name, first)],
  ] as const)(
    "notifies every reader within a second when %s, and closes the connection",
    async (_, versions, withdraw) => {
      const { name, link, codes } = await publishNamed(versions);
      const [first = ""] = codes;
      if (versions > 1) await act.setVisibility(token, { code: first, visibility: "private" });
      const readers = await Promise.all(Array.from({ length: 100 }, () => readLive(link)));
      for (const reader of readers) await reader.next();
      await withdraw(name, first);
      for (const reader of readers) await expectGone(reader);
      expect((await knock(link, { Origin: service.contentUrl })).status).toBe(404);
      for (const part of ["", "~current", "~versions"]) expect((await fetch(link + part)).status).toBe(404);
      for (const { messages } of readers) expect(messages.map(({ type }) => type)).toEqual(["hello", "gone"]);
    },
  );

  test("readers who connect during publishing end with the last version, and never go back", async () => {
    const { name, link } = await publishNamed();
    const coming = Array.from({ length: 20 }, async (_, place) => {
      await pause(place * 3, "a client's pace");
      return readLive(link);
    });
    let last = "";
    for (let count = 0; count < 20; count++) last = (await act.publish(token, { name })).code;
    for (const reader of await Promise.all(coming)) {
      const numbers = () => reader.messages.map((message) => (message.type === "gone" ? 0 : message.version_no));
      await until(async () => numbers().at(-1) === 21);
      expect(reader.messages.at(-1)).toMatchObject({ code: last });
      expect(numbers()).toEqual(numbers().toSorted((one, other) => one - other));
      expect(reader.messages.filter(({ type }) => type === "hello")).toHaveLength(1);
      reader.socket.close();
    }
  });
});

describe("the socket of a live link", () => {
  const service = useOwnService({ environment: { VITRINE_SOCKETS: "12", VITRINE_SOCKETS_PER_ADDRESS: "8" } });
  const act = actionsOf(service);
  let token: string;
  let link: string;
  let name: string;

  beforeAll(async () => {
    token = (await service.build.user({ slug: "ada" })).token;
    name = uniqueName();
    await act.publish(token, { name, visibility: "public" });
    link = `${service.contentUrl}/@ada/${name}/`;
  });

  test.each([
    ["the content host's own", () => service.contentUrl, 101],
    ["none", () => undefined, 403],
    ["null, as from a sandboxed page", () => "null", 403],
    ["the application host's", () => service.baseUrl, 403],
    ["a foreign one", () => "https://evil.example", 403],
    ["one with the same beginning", () => `${service.contentUrl}.evil.example`, 403],
    ["another port", () => "http://127.0.0.1:1", 403],
    ["another scheme", () => service.contentUrl.replace("http", "https"), 403],
  ])("with the origin %s", async (_, origin, status) => {
    const value = origin();
    expect((await knock(link, value === undefined ? {} : { Origin: value })).status).toBe(status);
  });

  test("is a socket and nothing else", async () => {
    const response = await fetch(`${link}~socket`, { headers: { Origin: service.contentUrl } });
    expect(response.status).toBe(426);
  });

  test("ignores what readers send, and closes the connection if it is too much", async () => {
    const modest = await readLive(link);
    const loud = await readLive(link);
    await modest.next();
    modest.socket.send('{"type":"version"}');
    loud.socket.send("x".repeat(2_000));
    expect((await loud.ended).code).toBe(1009);
    const { code } = await act.publish(token, { name });
    expect(await modest.next()).toMatchObject({ code });
    expect(modest.messages).toHaveLength(2);
    modest.socket.close();
    await modest.ended;
  });

  test("one address can have some of the sockets, all addresses together no more than the limit", async () => {
    const from = (address: string) => ({ "X-Forwarded-For": `192.0.2.1, ${address}` });
    const readers: Reader[] = [];
    const take = async (address: string) => void readers.push(await readLive(link, from(address)));
    const refused = async (address: string) => {
      const response = await knock(link, { Origin: service.contentUrl, ...from(address) });
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("10");
    };
    // Sockets of earlier tests may still be closing.
    await until(async () =>
      take("198.51.100.1").then(
        () => true,
        () => undefined,
      ),
    );
    for (let count = 1; count < 8; count++) await take("198.51.100.1");
    await refused("198.51.100.1");
    for (let count = 0; count < 4; count++) await take("198.51.100.2");
    await refused("198.51.100.3");
    readers[0]?.socket.close();
    await readers[0]?.ended;
    await until(async () =>
      take("198.51.100.3").then(
        () => true,
        () => undefined,
      ),
    );
    for (const { socket } of readers) socket.close();
    await Promise.all(readers.map(({ ended }) => ended));
  });
});

describe("a server that stops", () => {
  test("tells readers to reconnect, and the next server sends them the right version", async () => {
    await using database = await disposableDatabase();
    const first = await startService({ database });
    const { token } = await first.build.user({ slug: "ada" });
    const name = uniqueName();
    await actionsOf(first).publish(token, { name, visibility: "public" });
    const port = new URL(first.contentUrl).port;
    const readers = await Promise.all(Array.from({ length: 50 }, () => readLive(`${first.contentUrl}/@ada/${name}/`)));
    for (const reader of readers) await reader.next();
    expect(await first.stop()).toBe(0);
    for (const reader of readers) expect((await reader.ended).code).toBe(1012);

    await using second = await startService({ database, environment: { VITRINE_CONTENT_PORT: port } });
    const { code } = await actionsOf(second).publish(token, { name });
    const again = await readLive(`${second.contentUrl}/@ada/${name}/`);
    expect(await again.next()).toMatchObject({ type: "hello", code, version_no: 2 });
    again.socket.close();
  });
});

async function disposableDatabase() {
  const database = await createTestDatabase("sqlite");
  return { ...database, [Symbol.asyncDispose]: database.remove };
}
