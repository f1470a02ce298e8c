import { beforeAll, describe, expect, test } from "bun:test";
import { PORTAL_SOCKET_PATH } from "../../../src/contract/live/portal-socket.ts";
import { createTestDatabase } from "../../support/engines.ts";
import { type Person, readersOf } from "../../support/readers.ts";
import { failureSchema } from "../../support/scenarios.ts";
import { startService, uniqueName, useService } from "../../support/service.ts";
import { post, signIn } from "../../support/sessions.ts";
import { actionsOf } from "../app/actions.ts";
import { changed, openPage } from "./portal-readers.ts";
import { readLive } from "./readers.ts";

const PER_ADDRESS = 4;

const UPGRADE = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

describe("opening the socket of a signed-in person", () => {
  const service = useService({ environment: { VITRINE_SOCKETS_PER_ADDRESS: String(PER_ADDRESS) } });
  let person: Person;

  beforeAll(async () => {
    person = await readersOf(service).person();
  });

  /** Returns the response to an attempt; closes the connection if it succeeds. */
  async function knock(headers: Readonly<Record<string, string>>, method = "GET"): Promise<Response> {
    const leaving = new AbortController();
    const url = service.baseUrl + PORTAL_SOCKET_PATH;
    const response = await fetch(url, { method, signal: leaving.signal, headers, redirect: "manual" });
    if (response.status === 101) leaving.abort();
    return response;
  }

  const good = () => ({ ...UPGRADE, Origin: service.baseUrl, Cookie: person.cookie });
  const without = (name: string) => Object.fromEntries(Object.entries(good()).filter(([key]) => key !== name));

  test("works for a page of the application host", async () => {
    expect((await knock(good())).status).toBe(101);
  });

  test.each([
    ["no origin", () => without("Origin"), 403],
    ["the origin null", () => ({ ...good(), Origin: "null" }), 403],
    ["the content host's origin", () => ({ ...good(), Origin: service.contentUrl }), 403],
    ["a foreign origin", () => ({ ...good(), Origin: "https://evil.example" }), 403],
    ["an origin with the same beginning", () => ({ ...good(), Origin: `${service.baseUrl}.evil.example` }), 403],
    ["the right origin with a slash", () => ({ ...good(), Origin: `${service.baseUrl}/` }), 403],
    ["no upgrade", () => without("Upgrade"), 426],
    ["another upgrade", () => ({ ...good(), Upgrade: "h2c" }), 426],
    ["no session", () => without("Cookie"), 401],
    ["a forged session", () => ({ ...good(), Cookie: `${person.cookie.slice(0, -4)}AAA%3D` }), 401],
    ["a token", () => ({ ...without("Cookie"), Authorization: `Bearer ${person.token}` }), 401],
    ["a token and a session", () => ({ ...good(), Authorization: `Bearer ${person.token}` }), 401],
    ["no key", () => without("Sec-WebSocket-Key"), 400],
    ["an empty key", () => ({ ...good(), "Sec-WebSocket-Key": "" }), 400],
  ])("with %s", async (_, headers, status) => {
    const response = await knock(headers());
    expect({ status: response.status, body: await response.json() }).toEqual({
      status,
      body: { error: expect.any(String) },
    });
  });

  test.each([
    ["another version", () => ({ ...good(), "Sec-WebSocket-Version": "7" })],
    ["no version", () => without("Sec-WebSocket-Version")],
    ["an invalid key", () => ({ ...good(), "Sec-WebSocket-Key": "short" })],
    ["invalid extensions", () => ({ ...good(), "Sec-WebSocket-Extensions": ";;;,,=" })],
    ["invalid protocols", () => ({ ...good(), "Sec-WebSocket-Protocol": ",,;;" })],
  ])("with %s causes no server error", async (_, headers) => {
    const { status } = await knock(headers());
    expect(status === 101 || (status >= 400 && status < 500)).toBe(true);
  });

  test.each(["POST", "PUT", "DELETE", "HEAD"])("with %s is refused", async (method) => {
    const response = await knock({ ...good(), "Content-Type": "application/json" }, method);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
  });

  test("an expired session opens nothing", async () => {
    const cookie = await signIn(service, person);
    await post(service, "/api/auth/sign-out", {}, { Cookie: cookie });
    const response = await knock({ ...good(), Cookie: cookie });
    expect(response.status).toBe(401);
    failureSchema.parse(await response.json());
  });

  test("as often as one address may, independent of its live links; closing one makes room", async () => {
    const from = { "X-Forwarded-For": "198.51.100.7" };
    const name = uniqueName();
    await actionsOf(service).publish(person.token, { name });
    const open = () => openPage(service, person.cookie, from);
    const pages = await Promise.all(Array.from({ length: PER_ADDRESS }, open));
    expect((await knock({ ...good(), ...from })).status).toBe(503);
    expect((await knock({ ...good(), "X-Forwarded-For": "198.51.100.8" })).status).toBe(101);
    const reader = await readLive(`${service.baseUrl}/${name}/`, { Cookie: person.cookie, ...from });
    expect(await reader.next()).toMatchObject({ type: "hello", name });
    for (const page of pages.splice(0, 1)) await page.leave();
    pages.push(await open());
    for (const { socket } of [...pages, reader]) socket.close();
  });

  test("what a page sends is ignored, and too much of it closes its socket only", async () => {
    const [polite, rude] = [await openPage(service, person.cookie), await openPage(service, person.cookie)];
    polite.socket.send('{"type":"hello"}');
    polite.socket.send(new Uint8Array([0, 1, 2]));
    rude.socket.send("x".repeat(100_000));
    await rude.ended;
    await actionsOf(service).publish(person.token);
    await polite.hears(changed(person.slug, "items"));
    await polite.leave();
  });

  test("none of this was an unexpected failure", () => {
    expect(service.log()).not.toContain('"level":"error"');
  });
});

test("when the server stops, pages are told to reconnect, and the next server continues", async () => {
  const database = await createTestDatabase("sqlite");
  await using first = await startService({ database });
  const person = await readersOf(first).person();
  const pages = await Promise.all(Array.from({ length: 3 }, () => openPage(first, person.cookie)));
  await first.stop();
  for (const { ended, messages } of pages) {
    expect((await ended).code).toBe(1012);
    expect(messages).toHaveLength(1);
  }
  await using second = await startService({ database, environment: { VITRINE_PORT: new URL(first.baseUrl).port } });
  const page = await openPage(second, person.cookie);
  await actionsOf(second).publish(person.token);
  await page.hears(changed(person.slug, "items"));
  await page.leave();
  await database.remove();
});
