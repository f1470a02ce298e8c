import { beforeAll, describe, expect, test } from "bun:test";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { executeSql } from "../../../support/direct-sql.ts";
import { createTestDatabase, describeOneEngine } from "../../../support/engines.ts";
import { logged } from "../../../support/log.ts";
import { failureSchema } from "../../../support/scenarios.ts";
import { buildUpload, PASSWORD, startService, useService, useTwoServices } from "../../../support/service.ts";
import { cookiesOf, post, signIn, someAddress } from "../../../support/sessions.ts";
import { actionsOf } from "../actions.ts";

const SIGN_IN = "/api/auth/sign-in/email";
const listSchema = z.object({ signedIn: z.boolean(), owners: z.array(z.object({ slug: z.string() })) });
const sessionSchema = z
  .object({
    user: z.object({ email: z.string(), slug: z.string() }),
    session: z.object({ expires_at: z.iso.datetime() }),
  })
  .nullable();

async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port = 0 } = server;
  await server.stop(true);
  return port;
}

describeOneEngine("sessions", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  const here = someAddress();
  const signInWith = (body: unknown, from = here) => post(service, SIGN_IN, body, from);
  let user: { slug: string; email: string; token: string };
  let cookie: string;

  beforeAll(async () => {
    user = await service.build.user();
    cookie = await signIn(service, user);
  });

  const get = (path: string, headers: Record<string, string>) => fetch(service.baseUrl + path, { headers });
  const whoIs = async (headers: Record<string, string>) =>
    sessionSchema.parse(await (await get("/api/auth/get-session", headers)).json());
  const listAs = async (headers: Record<string, string>) => (await get("/api/list", headers)).status;

  describe("sign-in", () => {
    test("sets a cookie that scripts and other sites can't read", async () => {
      const response = await signInWith({ email: user.email.toUpperCase(), password: PASSWORD });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ ok: true });
      expect(response.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^vitrine_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
      ]);
    });

    test("returns the signed-in user", async () => {
      expect(await whoIs({ Cookie: cookie })).toMatchObject({ user: { email: user.email, slug: user.slug } });
      expect(await whoIs({})).toBeNull();
    });

    test.each<[string, () => object, number]>([
      ["a wrong password", () => ({ email: user.email, password: "wrong horse" }), 401],
      ["an unknown address", () => ({ email: "nobody@example.org", password: PASSWORD }), 401],
      ["an unknown address and an empty password", () => ({ email: "nobody@example.org", password: "" }), 401],
      ["an invalid address", () => ({ email: "nobody", password: PASSWORD }), 401],
      ["no password", () => ({ email: user.email }), 400],
      ["a password that isn't text", () => ({ email: user.email, password: { $ne: "" } }), 400],
      ["an array", () => [], 400],
    ])("with %s is refused without a cookie", async (_, body, status) => {
      const response = await signInWith(body());
      expect(response.status).toBe(status);
      expect(failureSchema.parse(await response.json()).error).not.toContain("nobody");
      expect(response.headers.get("set-cookie")).toBeNull();
    });

    test("refuses a wrong password and an unknown address in the same way", async () => {
      const answers = await Promise.all(
        [user.email, "nobody@example.org"].map(async (email) =>
          (await signInWith({ email, password: "wrong horse" })).json(),
        ),
      );
      expect(answers[0]).toEqual(answers[1]);
    });

    test("with wrong passwords is soon refused, then even with the right one", async () => {
      const victim = await service.build.user();
      const attempts = await Promise.all(
        Array.from({ length: 12 }, () => signInWith({ email: victim.email, password: "wrong horse" })),
      );
      expect(attempts.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(401), 429, 429]);
      const refused = await signInWith({ email: victim.email.toUpperCase(), password: PASSWORD });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 301);
      failureSchema.parse(await refused.json());
      expect((await signInWith({ email: user.email, password: PASSWORD })).status).toBe(200);
    });

    test("works for the owner, whatever others have tried from other addresses", async () => {
      const victim = await service.build.user();
      const attempt = async (address: string, password: string) =>
        (await signInWith({ email: victim.email, password }, { "X-Forwarded-For": address })).status;
      const network = `2001:db8:${Math.floor(Math.random() * 0xffff).toString(16)}`;
      const attackers = Array.from({ length: 12 }, (_, number) => `${network}:${number}::1`);
      for (const attacker of attackers) {
        const attempts = Array.from({ length: 11 }, () => attempt(attacker, "wrong horse"));
        expect((await Promise.all(attempts)).toSorted()).toEqual([...Array(10).fill(401), 429]);
      }
      // All addresses of one customer count as one.
      expect(await attempt(`${network}:1:ffff::7`, PASSWORD)).toBe(429);
      expect(await attempt("198.51.100.7", PASSWORD)).toBe(200);
      expect(await attempt(`${network}:100::1`, PASSWORD)).toBe(200);
    });

    test.each(["sign-up/email", "list-sessions", "update-user", "delete-user", "ok", "", "sign-in/social", "error"])(
      "the library's other endpoints are unreachable: /api/auth/%s",
      async (path) => {
        for (const response of [await post(service, `/api/auth/${path}`, {}), await get(`/api/auth/${path}`, {})]) {
          expect(response.status).toBe(404);
          expect(await response.json()).toEqual({
            error: "Unknown endpoint. Check the path against the API reference at /-/docs.",
          });
        }
      },
    );
  });

  describe("on the API", () => {
    test("may call everything in the user's own workspace", async () => {
      const list = listSchema.parse(await (await get("/api/list", { Cookie: cookie })).json());
      expect(list).toEqual({ signedIn: true, owners: [{ slug: user.slug }] });
      const published = await post(service, "/api/upload", buildUpload(), { Cookie: cookie });
      expect(published.status).toBe(200);
      const { code, owner } = z.object({ code: z.string(), owner: z.string() }).parse(await published.json());
      expect(owner).toBe(user.slug);
      const deleted = await post(service, "/api/delete-code", { code }, { Cookie: cookie });
      expect(await deleted.json()).toEqual({ ok: true, deleted: true });
    });

    test.each<[string, (value: string) => string]>([
      ["another signature", (value) => value.replace(/\.[^.]{6}/, ".AAAAAA")],
      ["no signature", (value) => value.split(".")[0] ?? ""],
      ["an empty token", (value) => value.replace(/=.*?\./, "=.")],
      ["another token with the same signature", (value) => value.replace(/=./, "=_")],
      ["broken escapes", (value) => value.replace(/%../, "%zz")],
    ])("a cookie with %s is ignored", async (_, change) => {
      const changed = change(cookie);
      expect(changed).not.toBe(cookie);
      expect(await listAs({ Cookie: changed })).toBe(401);
    });

    test("a token takes precedence over the cookie", async () => {
      const other = await service.build.user();
      const headers = { Cookie: cookie, Authorization: `Bearer ${other.token}` };
      const list = listSchema.parse(await (await get("/api/list", headers)).json());
      expect(list.owners).toEqual([{ slug: other.slug }]);
      expect(await whoIs(headers)).toBeNull();
    });

    test.each(["Bearer vtr_unknown", "Basic YTpi", "Bearer", ""])(
      "with `Authorization: %s` the cookie is ignored",
      async (Authorization) => {
        expect(await listAs({ Cookie: cookie, Authorization })).toBe(401);
      },
    );

    test("a read-only token gains no rights from a cookie", async () => {
      const token = await service.build.token({ userSlug: user.slug, scopes: ["reports:read"] });
      const headers = { Cookie: cookie, Authorization: `Bearer ${token}` };
      expect((await post(service, "/api/upload", buildUpload(), headers)).status).toBe(403);
    });

    test("does not reach the content host", async () => {
      const { code } = await act.publish(user.token);
      const response = await fetch(`${service.contentUrl}/${code}/`, { headers: { Cookie: cookie } });
      expect(response.status).toBe(404);
    });
  });

  describe("the end of a session", () => {
    test("sign-out ends this session and deletes the cookie", async () => {
      const [first, second] = [await signIn(service, user), await signIn(service, user)];
      const response = await post(service, "/api/auth/sign-out", {}, { Cookie: first });
      expect(response.status).toBe(200);
      expect(response.headers.getSetCookie()).toContain("vitrine_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
      expect([await listAs({ Cookie: first }), await listAs({ Cookie: second })]).toEqual([401, 200]);
      expect((await post(service, "/api/auth/sign-out", {}, { Cookie: first })).status).toBe(200);
    });

    test("signing out everywhere ends all of the user's sessions, and no others", async () => {
      const person = await service.build.user();
      const cookies = [await signIn(service, person), await signIn(service, person)];
      const response = await post(service, "/api/auth/revoke-sessions", {}, { Cookie: cookies[0] ?? "" });
      expect(response.status).toBe(200);
      for (const each of cookies) expect(await listAs({ Cookie: each })).toBe(401);
      expect(await listAs({ Cookie: cookie })).toBe(200);
    });

    test("a new password ends the others, and the old one is invalid", async () => {
      const person = await service.build.user();
      const [own, other] = [await signIn(service, person), await signIn(service, person)];
      const change = (body: object) => post(service, "/api/auth/change-password", body, { Cookie: own });
      const newPassword = "a new horse";
      expect((await change({ currentPassword: "wrong horse", newPassword })).status).toBe(400);
      expect((await change({ currentPassword: PASSWORD, newPassword: "short" })).status).toBe(400);
      const changed = await change({ currentPassword: PASSWORD, newPassword });
      expect(changed.status).toBe(200);
      expect([await listAs({ Cookie: own }), await listAs({ Cookie: other })]).toEqual([401, 401]);
      expect(await listAs({ Cookie: cookiesOf(changed) })).toBe(200);
      const { email } = person;
      expect((await signInWith({ email, password: PASSWORD })).status).toBe(401);
      expect((await signInWith({ email, password: newPassword })).status).toBe(200);
    });

    test("it expires", async () => {
      const person = await service.build.user();
      const own = await signIn(service, person);
      expect(await listAs({ Cookie: own })).toBe(200);
      await executeSql(
        service.database,
        `update sessions set expires_at = ${Date.now()} where user_id = (select id from users where email = '${person.email}')`,
      );
      expect(await listAs({ Cookie: own })).toBe(401);
    });

    test("passwords are stored as Argon2id, and no secret is logged", async () => {
      expect(service.log()).not.toContain(PASSWORD);
      const rows = await service.build.store.people.findAuthRows({ table: "accounts", where: [] });
      const passwords = rows.map(({ password }) => password).filter((password) => password !== null);
      expect(passwords).not.toEqual([]);
      for (const password of passwords) expect(password).toMatch(/^\$argon2id\$/);
    });
  });

  describe("the first account", () => {
    const SET_UP_LINK = /http\S+\/-\/set-up\?token=(\w{32})/;
    const { first, second } = useTwoServices(engine);

    test("is created by one of the links that replicas print, whichever is used first", async () => {
      const links = [await logged(first, SET_UP_LINK), await logged(second, SET_UP_LINK)];
      for (const [url] of links) expect((await fetch(url)).status).toBe(200);
      const rivals = await Promise.all(
        links.map(([, token], number) => {
          const slug = `first-${number}`;
          return post(first, "/api/auth/set-up", { token, email: `${slug}@example.org`, slug, password: PASSWORD });
        }),
      );
      expect(rivals.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      for (const [url] of links) expect((await fetch(url)).status).toBe(404);
    });

    test("is created by the link that the first start prints, once", async () => {
      await using fresh = await startService({ engine });
      const [url, token = ""] = await logged(fresh, SET_UP_LINK);
      expect((await fetch(url)).status).toBe(200);
      expect((await fetch(url.slice(0, -1))).status).toBe(404);
      const account = { token, email: "ada@example.org", slug: "ada", password: PASSWORD };
      expect((await post(fresh, "/api/auth/set-up", { ...account, password: "short" })).status).toBe(400);
      expect((await post(fresh, "/api/auth/set-up", { ...account, token: `${token}x` })).status).toBe(400);
      const rivals = await Promise.all(
        ["ada", "bob", "eve"].map((slug) =>
          post(fresh, "/api/auth/set-up", { ...account, slug, email: `${slug}@example.org` }),
        ),
      );
      expect(rivals.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
      expect(await fresh.build.accounts.countUsers()).toBe(1);
      expect((await fetch(url)).status).toBe(404);
    });
  });

  test("the same secret signs after a restart and on other replicas", async () => {
    const database = await createTestDatabase(engine);
    try {
      let kept = "";
      {
        await using first = await startService({ database });
        kept = await signIn(first, await first.build.user());
        await using copy = await startService({ database });
        expect((await fetch(`${copy.baseUrl}/api/list`, { headers: { Cookie: kept } })).status).toBe(200);
      }
      await using second = await startService({ database });
      expect((await fetch(`${second.baseUrl}/api/list`, { headers: { Cookie: kept } })).status).toBe(200);
      expect((await stat(join(database.dataDir, "secret"))).mode & 0o777).toBe(0o600);
    } finally {
      await database.remove();
    }
  });
});

describe("over https", () => {
  test("the cookie is for this host only", async () => {
    const port = await freePort();
    const baseUrl = "https://reports.example.org";
    const environment = {
      VITRINE_PORT: String(port),
      VITRINE_BASE_URL: baseUrl,
      VITRINE_CONTENT_URL: "https://content.example.org",
    };
    await using service = await startService({ environment });
    const { email } = await service.build.user();
    const inside = { baseUrl: `http://127.0.0.1:${port}` };
    const response = await post(inside, SIGN_IN, { email, password: PASSWORD }, { Origin: baseUrl });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-vitrine_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    const headers = { Cookie: cookiesOf(response) };
    expect((await fetch(`${inside.baseUrl}/api/list`, { headers })).status).toBe(200);
    const unprefixed = { Cookie: cookiesOf(response).replace("__Host-", "") };
    expect((await fetch(`${inside.baseUrl}/api/list`, { headers: unprefixed })).status).toBe(401);
    expect((await post(inside, SIGN_IN, { email, password: PASSWORD })).status).toBe(403);
    const ended = await post(inside, "/api/auth/sign-out", {}, { ...headers, Origin: baseUrl });
    for (const cookie of ended.headers.getSetCookie()) expect(cookie).toMatch(/^__Host-.*; Secure; SameSite=Lax$/);
  });
});
