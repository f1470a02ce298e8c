import { beforeAll, describe, expect, test } from "bun:test";
import { deleteItemsRoute, restoreItemsRoute } from "../../../src/contract/cabinet/items.ts";
import { GUEST_PROTOCOL, PASS_HEADER } from "../../../src/hosts/live/messages.ts";
import { executeSql } from "../../support/direct-sql.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { HTML } from "../../support/readers.ts";
import { uniqueName, useOwnService, useService } from "../../support/service.ts";
import { type Actions, actionsOf } from "../app/actions.ts";
import { type Guests, guestsOf, secretIn, setGuestPassword } from "../app/sharing/guests.ts";
import { knock, type Reader, readLive } from "./readers.ts";

describeOneEngine("opening guest links", (engine) => {
  const service = useService({ engine });
  let act: Actions;
  let guests: Guests;
  let owner: string;

  beforeAll(async () => {
    act = actionsOf(service);
    guests = guestsOf(service);
    owner = (await service.build.user()).token;
  });

  async function share(limits: Record<string, unknown> = {}) {
    const name = uniqueName();
    const { code } = await act.publish(owner, { name, title: "Secret <figures>" });
    return { name, code, ...(await guests.create(owner, { name, ...limits })) };
  }

  async function shareWithPassword(password: string) {
    const shared = await share();
    await setGuestPassword(service, shared.id, password);
    return shared;
  }

  const frame = (src: string, headers: Record<string, string> = {}) => fetch(src, { headers, redirect: "manual" });
  const askCurrent = (url: string, headers: Record<string, string> = {}) =>
    fetch(`${url}~current`, { headers: { ...guests.address, ...headers } });
  const knockFrom = (url: string, origin: string, headers: Record<string, string> = {}) =>
    knock(url, { Origin: origin, ...guests.address, ...headers });
  const statusOf = async (response: Promise<Response>) => (await response).status;

  test("the page says nothing about the report, and its exchange opens it", async () => {
    const { url, code } = await share();
    const response = await guests.page(url);
    expect(response.status).toBe(200);
    const html = await response.text();
    for (const secret of ["figures", code, secretIn(url), "~2."]) expect(html).not.toContain(secret);
    expect(response.headers.get("x-robots-tag")).toContain("noindex");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(response.headers.get("x-frame-options")).toBe("DENY");
    expect(response.headers.getSetCookie()).toEqual([]);

    const opened = await guests.opened(url);
    expect(opened).toMatchObject({ live: true, current: { code, title: "Secret <figures>", name: "" } });
    expect(opened.pass).toBeUndefined();
    const { src } = opened.current;
    expect(src).toStartWith(`${service.contentUrl}/~2.`);
    expect(src).not.toContain(secretIn(url));
    const shown = await frame(src);
    expect(shown.status).toBe(200);
    expect(await shown.text()).toContain("Hello");
    expect(shown.headers.get("cache-control")).toBe("private, no-store");
    expect(shown.headers.get("content-security-policy")).toContain(
      `frame-ancestors ${service.baseUrl} ${service.contentUrl}`,
    );
  });

  test("a ticket opens no other version, and is none of a session", async () => {
    const [one, other] = [await share(), await share()];
    const { src } = (await guests.opened(one.url)).current;
    expect(await statusOf(frame(src.replace(one.code, other.code)))).toBe(404);
    expect(await statusOf(frame(src.replace("/~2.", "/~1.")))).toBe(404);
    const ofOther = (await guests.opened(other.url)).current.src;
    const [, ref = ""] = /\.(lnk_\w+)\./.exec(ofOther) ?? [];
    expect(await statusOf(frame(src.replace(/lnk_\w+/, ref)))).toBe(404);
  });

  test("a link to a name follows the report; one to a code stays on its version", async () => {
    const { name, code, url } = await share();
    const pinned = await guests.create(owner, { code });
    const next = await act.publish(owner, { name, title: "Second" });
    expect((await guests.opened(url)).current).toMatchObject({ code: next.code, title: "Second", version_no: 2 });
    expect(await guests.opened(pinned.url)).toMatchObject({ live: false, current: { code, version_no: 1 } });
    await act.setLatest(owner, name, code);
    expect((await guests.opened(url)).current.code).toBe(code);
  });

  test("an unnamed report can be shared by its code", async () => {
    const { code } = await act.publish(owner, { title: "Alone" });
    const { url } = await guests.create(owner, { code });
    expect((await guests.opened(url)).current).toMatchObject({ code, title: "Alone" });
  });

  describe("links that don't open", () => {
    const unknown = () => `${service.baseUrl}/s/${"a".repeat(43)}/`;
    const ways: Record<string, () => Promise<string>> = {
      "never existed": async () => unknown(),
      "has a secret of another form": async () => `${service.baseUrl}/s/short/`,
      "was revoked": async () => {
        const { id, url } = await share();
        await guests.revoke(owner, id);
        return url;
      },
      "has expired": async () => {
        const { id, url } = await share({ expires_at: "2999-01-01" });
        await executeSql(service.database, `update guest_links set expires_at = 1 where id = '${id}'`);
        return url;
      },
      "shows a deleted report": async () => {
        const { name, url } = await share();
        await act.deleteGroup(owner, name);
        return url;
      },
      "shows a deleted version": async () => {
        const { name, code } = await share();
        const { url } = await guests.create(owner, { code });
        await act.publish(owner, { name });
        await act.deleteCode(owner, code);
        return url;
      },
    };
    const answerAt = async (response: Promise<Response>) => {
      const { status, headers } = await response;
      const kept = Object.fromEntries([...headers].filter(([name]) => !["date", "x-request-id"].includes(name)));
      return { status, headers: kept, body: await (await response).text() };
    };

    test.each(Object.keys(ways))("a link that %s is answered like any other", async (way) => {
      const url = (await ways[way]?.()) ?? "";
      const answer = await answerAt(guests.page(url));
      expect(answer.status).toBe(404);
      expect(answer.body).toContain("This link doesn&#39;t work");
      expect(answer).toEqual(await answerAt(guests.page(unknown())));
      expect(await answerAt(guests.open(url))).toEqual(await answerAt(guests.open(unknown())));
      expect(await statusOf(askCurrent(url))).toBe(404);
      expect((await knockFrom(url, service.baseUrl)).status).toBe(404);
    });
  });

  test("revoking cuts what guests have open: files at the next request, sockets at once", async () => {
    const { id, url } = await share();
    const { src } = (await guests.opened(url)).current;
    const reader = await readLive(url, guests.address);
    expect(await reader.next()).toMatchObject({ type: "hello", name: "" });
    expect(await statusOf(frame(src))).toBe(200);
    await guests.revoke(owner, id);
    expect(await statusOf(frame(src))).toBe(404);
    await expectGone(reader);
  });

  async function expectGone(reader: Reader): Promise<void> {
    expect(await reader.next()).toEqual({ type: "gone" });
    expect((await reader.ended).code).toBe(1000);
  }

  test("guests see new versions live, and lose the report when the link expires or the report is deleted", async () => {
    const { id, name, url } = await share();
    const pinned = await guests.create(owner, { name });
    const [follower, leaving] = [await readLive(url, guests.address), await readLive(pinned.url, guests.address)];
    const hello = await follower.next();
    await leaving.next();
    const next = await act.publish(owner, { name, title: "Second" });
    const message = await follower.next();
    expect(message).toMatchObject({ type: "version", code: next.code, title: "Second" });
    expect(await statusOf(frame("src" in message ? message.src : ""))).toBe(200);
    // What a guest has open stays there, for as long as the link opens.
    expect(await statusOf(frame("src" in hello ? hello.src : ""))).toBe(200);
    await guests.expire(owner, id);
    await expectGone(follower);
    expect(await leaving.next()).toMatchObject({ type: "version", code: next.code });
    await act.deleteGroup(owner, name);
    await expectGone(leaving);
  });

  test("a deletion that is undone brings the links back", async () => {
    const { name, url } = await share();
    const { undo } = await service.client(owner).call(deleteItemsRoute, { body: { items: [{ name }] } });
    expect((await guests.page(url)).status).toBe(404);
    await service.client(owner).call(restoreItemsRoute, { body: { undo: undo?.id ?? "" } });
    expect((await guests.page(url)).status).toBe(200);
  });

  describe("with a password", () => {
    const PASSWORD = "a password of guests";

    test("only guests who know it learn what the link shows", async () => {
      const { url } = await shareWithPassword(PASSWORD);
      expect((await guests.page(url)).status).toBe(200);
      for (const [proof, status, error] of [
        [{}, 400, "password is required"],
        [{ password: "" }, 400, "password is required"],
        [{ password: "wrong" }, 403, "The password isn't right"],
        [{ password: 7 }, 400, "password must be"],
      ] as const) {
        const response = await guests.open(url, proof);
        expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(error)]);
      }
      expect(await statusOf(askCurrent(url))).toBe(404);
      expect((await knockFrom(url, service.baseUrl)).status).toBe(404);

      const { pass = "", current } = await guests.opened(url, { password: PASSWORD });
      expect(await statusOf(frame(current.src))).toBe(200);
      expect(await statusOf(guests.open(url, {}, pass))).toBe(200);
      expect(await statusOf(askCurrent(url, { [PASS_HEADER]: pass }))).toBe(200);
      const protocols = { "Sec-WebSocket-Protocol": `${GUEST_PROTOCOL}, ${pass}` };
      const socket = await knockFrom(url, service.baseUrl, protocols);
      expect([socket.status, socket.headers.get("sec-websocket-protocol")]).toEqual([101, GUEST_PROTOCOL]);
      const other = await shareWithPassword(PASSWORD);
      expect(await statusOf(guests.open(other.url, {}, pass))).toBe(400);
      expect(await statusOf(guests.open(url, {}, `${pass.slice(0, -1)}_`))).toBe(400);
    });

    test("wrong passwords are limited, right ones aren't", async () => {
      const [{ url }, other] = [await shareWithPassword(PASSWORD), await shareWithPassword(PASSWORD)];
      for (let right = 0; right < 3; right++) await guests.opened(url, { password: PASSWORD });
      const statuses: number[] = [];
      for (let wrong = 0; wrong < 11; wrong++)
        statuses.push(await statusOf(guests.open(url, { password: `no ${wrong}` })));
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429]);
      const refused = await guests.open(url, { password: PASSWORD });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await statusOf(guests.open(other.url, { password: PASSWORD }))).toBe(200);
    });
  });

  test("pages of the named origins may frame the link and the report in it, and no others", async () => {
    const origins = ["https://www.notion.so", "http://localhost:3000"];
    const { url, name } = await share({ embed_origins: origins });
    const page = await guests.page(url);
    expect(page.headers.get("content-security-policy")).toContain(`frame-ancestors ${origins.join(" ")}`);
    expect(page.headers.has("x-frame-options")).toBe(false);
    const { src, code } = (await guests.opened(url)).current;
    const policyOf = async (address: string) => (await frame(address)).headers.get("content-security-policy");
    expect(await policyOf(src)).toEndWith(
      `frame-ancestors ${service.baseUrl} ${service.contentUrl} ${origins.join(" ")}`,
    );
    const plain = await guests.create(owner, { name });
    const unframed = (await guests.opened(plain.url)).current;
    expect(unframed.code).toBe(code);
    expect(await policyOf(unframed.src)).toEndWith(`frame-ancestors ${service.baseUrl} ${service.contentUrl}`);
    expect(await statusOf(frame(src, { "If-None-Match": (await frame(src)).headers.get("etag") ?? "" }))).toBe(304);
  });

  test("openings are counted, page loads, previews and refusals aren't", async () => {
    const { name, url } = await shareWithPassword("only for guests");
    const uses = async () => (await guests.list(owner, { name }))[0];
    expect(await uses()).toMatchObject({ uses: 0, last_used_at: null });
    await guests.page(url);
    expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
    await guests.page(url, { "User-Agent": "Slackbot-LinkExpanding 1.0" });
    await guests.open(url, { password: "wrong one" });
    expect(await uses()).toMatchObject({ uses: 0, last_used_at: null });
    const { pass } = await guests.opened(url, { password: "only for guests" });
    await guests.open(url, {}, pass);
    expect(await uses()).toMatchObject({ uses: 2, last_used_at: expect.any(String) });
  });

  test("only this site's pages may exchange a secret", async () => {
    const { url } = await share();
    expect(await statusOf(guests.send(url, "~open", {}, { Origin: "https://evil.example" }))).toBe(403);
    expect(await statusOf(guests.send(url, "~open", {}, { Origin: "null" }))).toBe(403);
    expect((await knockFrom(url, "https://evil.example")).status).toBe(403);
    expect((await knockFrom(url, service.contentUrl)).status).toBe(403);
  });

  test('a report may be called "s"', async () => {
    await act.publish(owner, { name: "s", visibility: "public" });
    expect((await fetch(`${service.baseUrl}/s/`, { headers: HTML, redirect: "manual" })).status).toBe(302);
    expect((await fetch(`${service.baseUrl}/s`, { headers: HTML, redirect: "manual" })).status).toBe(302);
    const { url } = await share();
    const withoutSlash = await guests.page(url.slice(0, -1));
    expect([withoutSlash.status, withoutSlash.headers.get("location")]).toEqual([302, url]);
    await act.deleteGroup(owner, "s");
  });
});

describeOneEngine("guessing guest links", (engine) => {
  const service = useOwnService({ engine });

  test("is limited for each address, and doesn't say which links exist", async () => {
    const guests = guestsOf(service);
    const { token } = await service.build.user();
    const name = uniqueName();
    await actionsOf(service).publish(token, { name });
    const { url } = await guests.create(token, { name });
    const guess = (number: number) => `${service.baseUrl}/s/${String(number).padStart(43, "x")}/`;
    // A link that has ended counts once, however often it is opened.
    for (let again = 0; again < 10; again++) expect((await guests.page(guess(0))).status).toBe(404);
    for (let number = 1; number < 60; number++) expect((await guests.page(guess(number))).status).toBe(404);
    const answerOf = async (address: string) => {
      const response = await guests.page(address);
      return [response.status, await response.text()];
    };
    const [status, body] = await answerOf(guess(60));
    expect([status, body]).toEqual([429, expect.stringContaining("Too many attempts")]);
    expect(await answerOf(url)).toEqual([429, body ?? ""]);
    expect((await guests.open(url)).status).toBe(429);
  });
});
