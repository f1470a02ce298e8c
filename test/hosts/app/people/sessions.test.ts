import { describe, expect, test } from "bun:test";
import { endOtherSessionsRoute, endSessionRoute, sessionsRoute } from "../../../../src/contract/people/sessions.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { readersOf } from "../../../support/readers.ts";
import { PASSWORD, uniqueName, useService } from "../../../support/service.ts";
import { asPage, cookiesOf, pageClient, post } from "../../../support/sessions.ts";
import { nextMillisecond } from "../../../support/until.ts";
import { readLive } from "../../live/readers.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const listCase = casesOf<typeof sessionsRoute>();
const endCase = casesOf<typeof endSessionRoute>();
const othersCase = casesOf<typeof endOtherSessionsRoute>();

const MONTH = 30 * 24 * 60 * 60_000;
const BROWSERS = ["Mozilla/5.0 (one)", "Mozilla/5.0 (two)", "Mozilla/5.0 (three)"];

describeOneEngine("a user's sessions", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);

  /** Returns a person who is signed in with several browsers. */
  async function person(browsers = BROWSERS) {
    const user = await service.build.user();
    const cookies: string[] = [];
    for (const browser of browsers) {
      const body = { email: user.email, password: PASSWORD };
      cookies.push(cookiesOf(await post(service, "/api/auth/sign-in/email", body, { "User-Agent": browser })));
      await nextMillisecond();
    }
    const [cookie = "", ...others] = cookies;
    return { ...user, cookie, others };
  }

  const sessionsOf = async (cookie: string) => (await pageClient(service, cookie).call(sessionsRoute)).sessions;
  const idOf = async (cookie: string) => (await sessionsOf(cookie)).find(({ is_current }) => is_current)?.id ?? "";
  const isAlive = async (cookie: string) =>
    (await fetch(`${service.baseUrl}/api/list`, { headers: { Cookie: cookie } })).status === 200;
  const byPage = ({ cookie }: { cookie: string }) => ({ headers: asPage(service, cookie) });

  testCases(() => service, sessionsRoute, [
    listCase({
      name: "the current one, then the newest",
      given: person,
      request: byPage,
      status: 200,
      check: ({ sessions }) => {
        expect(sessions.map(({ user_agent, is_current }) => [user_agent, is_current])).toEqual([
          [BROWSERS[0] ?? "", true],
          [BROWSERS[2] ?? "", false],
          [BROWSERS[1] ?? "", false],
        ]);
        for (const { created_at, expires_at } of sessions) {
          expect(Math.abs(Date.parse(expires_at) - Date.parse(created_at) - MONTH)).toBeLessThan(1000);
        }
      },
    }),
    listCase({
      name: "with the address of each sign-in",
      given: async () => {
        const user = await person();
        const signInFrom = (headers: Record<string, string>) =>
          post(service, "/api/auth/sign-in/email", { email: user.email, password: PASSWORD }, headers);
        // As a reverse proxy on this machine reports it, after a made-up address.
        await signInFrom({ "X-Forwarded-For": "203.0.113.9, 198.51.100.7" });
        await signInFrom({ "X-Forwarded-For": "2001:DB8::17" });
        await signInFrom({ "X-Forwarded-For": "<b>no address</b>" });
        await signInFrom({ "X-Vitrine-Address": "203.0.113.9" });
        return user;
      },
      request: byPage,
      status: 200,
      check: ({ sessions }) => {
        const addresses = sessions.map(({ address }) => address);
        expect(addresses[0]).toBeOneOf(["127.0.0.1", "::1"]);
        expect(addresses.slice(1, 5)).toEqual([
          expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
          expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
          "2001:db8::",
          "198.51.100.7",
        ]);
      },
    }),
    listCase({
      name: "without any secret that opens something",
      given: person,
      request: byPage,
      status: 200,
      check: async ({ sessions }, { cookie }) => {
        const token = decodeURIComponent(cookie).split("=")[1]?.split(".")[0] ?? "none";
        expect(token.length).toBeGreaterThan(20);
        expect(JSON.stringify(sessions)).not.toContain(token);
        for (const { id } of sessions) {
          expect(await isAlive(`vitrine_session=${id}`)).toBe(false);
          expect((await act.open("/api/list", { headers: { Authorization: `Bearer ${id}` } })).status).toBe(401);
        }
      },
    }),
    listCase({
      name: "without expired ones, or another user's",
      given: async () => {
        const user = await person();
        await person();
        await executeSql(
          service.database,
          `update sessions set expires_at = 1 where ref = '${await idOf(user.others[0] ?? "")}'`,
        );
        return user;
      },
      request: byPage,
      status: 200,
      check: ({ sessions }) => expect(sessions).toHaveLength(2),
    }),
    listCase({
      name: "with a token",
      given: person,
      request: ({ token }) => ({ token }),
      status: 403,
      error: "access tokens aren't accepted",
    }),
    listCase({
      name: "no credentials",
      given: () => undefined,
      request: () => ({}),
      status: 401,
      error: "aren't signed in",
    }),
  ]);

  testCases(() => service, endSessionRoute, [
    endCase({
      name: "another one of the user's",
      given: async () => {
        const user = await person();
        return { ...user, id: await idOf(user.others[0] ?? "") };
      },
      request: ({ cookie, id }) => ({ ...byPage({ cookie }), body: { id } }),
      status: 200,
      after: async ({ cookie, others }) => {
        expect(await Promise.all([cookie, ...others].map(isAlive))).toEqual([true, false, true]);
      },
    }),
    endCase({
      name: "the current one",
      given: async () => {
        const user = await person();
        return { ...user, id: await idOf(user.cookie) };
      },
      request: ({ cookie, id }) => ({ ...byPage({ cookie }), body: { id } }),
      status: 200,
      after: async ({ cookie, others }) => {
        expect(await Promise.all([cookie, ...others].map(isAlive))).toEqual([false, true, true]);
      },
    }),
    endCase({
      name: "another person's",
      given: async () => {
        const victim = await person();
        return { ...(await person()), victim, id: await idOf(victim.cookie) };
      },
      request: ({ cookie, id }) => ({ ...byPage({ cookie }), body: { id } }),
      status: 404,
      error: /^Session not found/,
      after: async ({ victim }) => expect(await isAlive(victim.cookie)).toBe(true),
    }),
    endCase({
      name: "an unknown one",
      given: person,
      request: ({ cookie }) => ({ ...byPage({ cookie }), body: { id: "R2dOe0aQ2mXw9LbT4e7Kd0aQ" } }),
      status: 404,
      error: /^Session not found/,
    }),
    endCase({
      name: "no id",
      given: person,
      request: ({ cookie }) => ({ ...byPage({ cookie }), body: {} }),
      status: 400,
      error: "id is required",
    }),
    endCase({
      name: "from another site's page",
      given: async () => {
        const user = await person();
        return { ...user, id: await idOf(user.cookie) };
      },
      request: ({ cookie, id }) => ({ headers: { Cookie: cookie, Origin: "https://evil.example" }, body: { id } }),
      status: 403,
      after: async ({ cookie }) => expect(await isAlive(cookie)).toBe(true),
    }),
    endCase({
      name: "with a token",
      given: async () => {
        const user = await person();
        return { ...user, id: await idOf(user.cookie) };
      },
      request: ({ token, id }) => ({ token, body: { id } }),
      status: 403,
      error: "access tokens aren't accepted",
      after: async ({ cookie }) => expect(await isAlive(cookie)).toBe(true),
    }),
    endCase({ name: "no credentials", given: () => undefined, request: () => ({ body: { id: "x" } }), status: 401 }),
  ]);

  testCases(() => service, endOtherSessionsRoute, [
    othersCase({
      name: "all but the current one",
      given: async () => ({ ...(await person()), stranger: await person() }),
      request: (given) => ({ ...byPage(given), body: {} }),
      status: 200,
      check: ({ ended }) => expect(ended).toBe(2),
      after: async ({ cookie, others, stranger }) => {
        expect(await Promise.all([cookie, ...others, stranger.cookie].map(isAlive))).toEqual([
          true,
          false,
          false,
          true,
        ]);
      },
    }),
    othersCase({
      name: "if there are none",
      given: () => person(BROWSERS.slice(0, 1)),
      request: (given) => ({ ...byPage(given), body: {} }),
      status: 200,
      check: ({ ended }) => expect(ended).toBe(0),
    }),
    othersCase({
      name: "with a token",
      given: person,
      request: ({ token }) => ({ token, body: {} }),
      status: 403,
      error: "access tokens aren't accepted",
      after: async ({ others }) => expect(await Promise.all(others.map(isAlive))).toEqual([true, true]),
    }),
    othersCase({ name: "no credentials", given: () => undefined, request: () => ({ body: {} }), status: 401 }),
  ]);

  describe("an ended session", () => {
    const endings = {
      "by its id": async (cookie: string, other: string) =>
        pageClient(service, cookie).call(endSessionRoute, { body: { id: await idOf(other) } }),
      "with all others": (cookie: string) => pageClient(service, cookie).call(endOtherSessionsRoute, { body: {} }),
    };

    test.each(Object.entries(endings))(
      "%s: loses its open pages at once, and the others keep theirs",
      async (_, end) => {
        const user = await person();
        const other = user.others[0] ?? "";
        const name = uniqueName();
        const { code } = await act.publish(user.token, { name });
        const readers = readersOf(service);
        const [own, theirs] = [
          await readers.openedFrame(code, { cookie: user.cookie }),
          await readers.openedFrame(code, { cookie: other }),
        ];
        const link = `${service.baseUrl}/${name}/`;
        const ending = await readLive(link, { Cookie: other });
        const staying = await readLive(link, { Cookie: user.cookie });
        await end(user.cookie, other);
        await ending.ended;
        expect([(await fetch(theirs)).status, (await fetch(own)).status]).toEqual([404, 200]);
        await act.publish(user.token, { name });
        await staying.next();
        expect(await staying.news()).toMatchObject({ type: "version", version_no: 2 });
        staying.socket.close();
      },
    );
  });
});
