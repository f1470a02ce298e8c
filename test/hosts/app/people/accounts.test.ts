import { describe, expect, test } from "bun:test";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization, addPerson, buildAccount, invite, rolesIn } from "../../../support/people.ts";
import { failureSchema } from "../../../support/scenarios.ts";
import { PASSWORD, type Service, useService } from "../../../support/service.ts";
import { post, signIn } from "../../../support/sessions.ts";

const SIGN_UP = "/api/auth/sign-up";
const ACCEPT = "/api/auth/accept-invitation";

/** Invalid accounts: a description, the field with which the error begins, the values. */
const WRONG: readonly [string, string, object][] = [
  ["no e-mail address", "email", { email: undefined }],
  ["an invalid address", "email", { email: "grace" }],
  ["no short name", "slug", { slug: undefined }],
  ["a short name with capitals", "slug", { slug: "Grace" }],
  ["a short name of 40 letters", "slug", { slug: "g".repeat(40) }],
  ["a name of 121 characters", "name", { name: "g".repeat(121) }],
  ["no password", "password", { password: undefined }],
  ["a short password", "password", { password: "123456789" }],
  ["a password that is too long", "password", { password: "x".repeat(1001) }],
  ["a password that isn't text", "password", { password: { $ne: "" } }],
];

describeOneEngine("accounts that people create", (engine) => {
  const open = useService({ engine, environment: { VITRINE_SIGN_UP: "open" } });
  const closed = useService({ engine });
  let address = 0;

  /** Sends a request from a new address, as named by a proxy, so that tests don't share attempts. */
  const ask = (service: Service, path: string, body: unknown, headers: Record<string, string> = {}) =>
    post(service, path, body, { "X-Forwarded-For": `192.0.2.${++address}`, ...headers });
  const errorOf = async (response: Response) => failureSchema.parse(await response.json()).error;
  const exists = async (service: Service, slug: string) =>
    (await service.build.store.people.findUserBySlug(slug)) !== undefined;

  describe("sign-up", () => {
    test("creates an account that can sign in and publish, but no session yet", async () => {
      const account = buildAccount({ name: "Grace" });
      const response = await ask(open, SIGN_UP, { ...account, email: account.email.toUpperCase() });
      expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
      expect(response.headers.get("set-cookie")).toBeNull();
      const headers = { Cookie: await signIn(open, account) };
      const session = await (await fetch(`${open.baseUrl}/api/auth/get-session`, { headers })).json();
      expect(session).toMatchObject({ user: { email: account.email, slug: account.slug, name: "Grace" } });
    });

    test.each(WRONG)("with %s is refused: %s", async (_, field, wrong) => {
      const account = buildAccount();
      const response = await ask(open, SIGN_UP, { ...account, ...wrong });
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toMatch(new RegExp(`^${field} `));
      expect(await exists(open, account.slug)).toBe(false);
    });

    test("with a taken address or short name is refused, and creates nothing", async () => {
      const [taken, account] = [await addPerson(open), buildAccount()];
      const byEmail = await ask(open, SIGN_UP, { ...account, email: taken.email });
      expect([byEmail.status, await errorOf(byEmail)]).toEqual([
        409,
        `The email address "${taken.email}" is taken. Use another address.`,
      ]);
      const bySlug = await ask(open, SIGN_UP, { ...account, slug: taken.slug });
      expect([bySlug.status, await errorOf(bySlug)]).toEqual([
        409,
        `The slug "${taken.slug}" is taken. Choose another one.`,
      ]);
      expect(await exists(open, account.slug)).toBe(false);
      expect((await ask(open, SIGN_UP, account)).status).toBe(200);
    });

    test("on a server with closed registration creates nothing", async () => {
      const account = buildAccount();
      const response = await ask(closed, SIGN_UP, account);
      expect([response.status, await errorOf(response)]).toEqual([
        403,
        "Registration is closed on this server. Ask for an invitation, or ask an administrator to create an account.",
      ]);
      expect(await exists(closed, account.slug)).toBe(false);
    });

    test("from one address is limited to twenty attempts in a time, successful or not", async () => {
      const from = { "X-Forwarded-For": "198.51.100.7" };
      const attempts = Array.from({ length: 22 }, (_, n) =>
        n % 2 === 0 ? buildAccount() : { ...buildAccount(), slug: "A" },
      );
      const responses = await Promise.all(attempts.map((account) => ask(open, SIGN_UP, account, from)));
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 429)).toHaveLength(2);
      const refused = responses.find(({ status }) => status === 429);
      expect(Number(refused?.headers.get("retry-after"))).toBeWithin(1, 301);
      expect((await ask(open, SIGN_UP, buildAccount())).status).toBe(200);
      // Users with accounts can still sign in.
      const known = await addPerson(open);
      expect(
        (await ask(open, "/api/auth/sign-in/email", { email: known.email, password: PASSWORD }, from)).status,
      ).toBe(200);
    });

    test.each([[SIGN_UP], [ACCEPT]])("%s from another site or a form is refused", async (path) => {
      const account = { ...buildAccount(), token: "x" };
      const origins = [{ Origin: "https://evil.example" }, { Origin: "null" }, { Origin: open.contentUrl }];
      for (const headers of origins) expect((await ask(open, path, account, headers)).status).toBe(403);
      expect((await ask(open, path, account, { "Content-Type": "text/plain" })).status).toBe(400);
      expect(await exists(open, account.slug)).toBe(false);
    });

    test("of ten who want one short name, one gets it", async () => {
      const { slug } = buildAccount();
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          ask(open, SIGN_UP, buildAccount({ slug, email: `${slug}-${n}@example.org` })),
        ),
      );
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
    });
  });

  describe("by an invitation", () => {
    async function invited(email?: string) {
      const organization = await addOrganization(closed);
      const wanted = { owner: organization.slug, role: "admin" as const, ...(email === undefined ? {} : { email }) };
      return { ...organization, ...(await invite(closed, organization.owner.token, wanted)) };
    }

    test("creates an account in the organization, also with closed registration, once", async () => {
      const { slug, secret } = await invited();
      const account = buildAccount();
      expect((await ask(closed, ACCEPT, { ...account, token: secret })).status).toBe(200);
      expect((await rolesIn(closed, slug))[account.slug]).toBe("admin");
      await signIn(closed, account);
      const second = buildAccount();
      const again = await ask(closed, ACCEPT, { ...second, token: secret });
      expect([again.status, await errorOf(again)]).toEqual([
        400,
        "This invitation was used or revoked, or it has expired. Ask for a new one.",
      ]);
      expect(await exists(closed, second.slug)).toBe(false);
    });

    test.each(WRONG)("with %s is refused: %s, and the invitation stays valid", async (_, field, wrong) => {
      const { secret } = await invited();
      const account = buildAccount();
      const response = await ask(closed, ACCEPT, { ...account, ...wrong, token: secret });
      expect([response.status, await errorOf(response)]).toEqual([
        400,
        expect.stringMatching(new RegExp(`^${field} `)),
      ]);
      expect((await ask(closed, ACCEPT, { ...account, token: secret })).status).toBe(200);
    });

    test("with a taken short name or address creates nothing, and the invitation stays valid", async () => {
      const { slug, secret, member } = await invited();
      const account = buildAccount();
      for (const taken of [{ slug: member.slug }, { email: member.email }]) {
        expect((await ask(closed, ACCEPT, { ...account, ...taken, token: secret })).status).toBe(409);
        expect(await exists(closed, account.slug)).toBe(false);
      }
      expect(Object.keys(await rolesIn(closed, slug))).toHaveLength(3);
      expect((await ask(closed, ACCEPT, { ...account, token: secret })).status).toBe(200);
    });

    test("for one address is refused to others", async () => {
      const account = buildAccount();
      const { slug, secret } = await invited(account.email);
      const other = await ask(closed, ACCEPT, { ...account, email: "eve@example.org", token: secret });
      expect([other.status, await errorOf(other)]).toEqual([
        403,
        "This invitation is for another email address. Sign in with that address, or ask for a new invitation.",
      ]);
      expect(
        (await ask(closed, ACCEPT, { ...account, email: account.email.toUpperCase(), token: secret })).status,
      ).toBe(200);
      expect(await rolesIn(closed, slug)).toHaveProperty(account.slug);
    });

    test("that is expired, revoked or unknown creates nothing", async () => {
      const { secret, id } = await invited();
      await executeSql(closed.database, `update invitations set expires_at = ${Date.now()} where id = '${id}'`);
      const account = buildAccount();
      for (const token of [secret, "", `${secret}x`]) {
        expect((await ask(closed, ACCEPT, { ...account, token })).status).toBe(400);
      }
      expect(await exists(closed, account.slug)).toBe(false);
    });

    test("used by ten at the same time admits one, and creates nothing for the others", async () => {
      const { slug, secret, stranger } = await invited();
      const accounts = Array.from({ length: 9 }, () => buildAccount());
      const join = post(
        closed,
        "/api/org/invitations/accept",
        { token: secret },
        { Authorization: `Bearer ${stranger.token}` },
      );
      const responses = await Promise.all([
        ...accounts.map((account) => ask(closed, ACCEPT, { ...account, token: secret })),
        join,
      ]);
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(400)]);
      expect(Object.keys(await rolesIn(closed, slug))).toHaveLength(4);
      const made = await Promise.all(accounts.map((account) => exists(closed, account.slug)));
      expect(made.filter(Boolean).length).toBe(responses.at(-1)?.status === 200 ? 0 : 1);
    });
  });
});
