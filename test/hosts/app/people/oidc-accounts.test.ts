import { expect, test } from "bun:test";
import { describeOneEngine } from "../../../support/engines.ts";
import { failureSchema } from "../../../support/scenarios.ts";
import { PASSWORD } from "../../../support/service.ts";
import { post, signIn } from "../../../support/sessions.ts";
import { use } from "../../../support/use.ts";
import { createVisitor } from "./oidc-provider.ts";
import { ATTEMPT_COOKIE, expectRefused, providerOfFile, startWith, uniqueLogin, whoIs } from "./oidc-support.ts";

const provider = providerOfFile();

describeOneEngine("single sign-on with closed registration", (engine) => {
  const service = use(() => startWith(provider().issuer, {}, engine));

  test("opens the account with the verified address", async () => {
    const user = await service.build.user();
    const login = uniqueLogin();
    await provider().tell(login, { email: user.email.toUpperCase(), email_verified: true });
    const visitor = createVisitor(service);
    const response = await visitor.signIn(login, "/some-report/?page=2#part");
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(`${service.baseUrl}/some-report/?page=2#part`);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^vitrine_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
      "vitrine_sign_in=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
    ]);
    expect(await whoIs(service, visitor.cookies())).toMatchObject({ email: user.email, slug: user.slug });
  });

  test("opens the same account again, even if the address has changed", async () => {
    const [user, other] = [await service.build.user(), await service.build.user()];
    const login = uniqueLogin();
    await provider().tell(login, { email: user.email, email_verified: true });
    await createVisitor(service).signIn(login);
    for (const claims of [{ email: other.email, email_verified: true }, { email: "gone@example.org" }, {}]) {
      await provider().tell(login, claims);
      const visitor = createVisitor(service);
      await visitor.signIn(login);
      expect(await whoIs(service, visitor.cookies())).toMatchObject({ email: user.email, slug: user.slug });
    }
  });

  test("keeps an account's password and sessions", async () => {
    const user = await service.build.user();
    const cookie = await signIn(service, user);
    const login = uniqueLogin();
    await provider().tell(login, { email: user.email, email_verified: true });
    await createVisitor(service).signIn(login);
    expect(await whoIs(service, cookie)).toMatchObject({ slug: user.slug });
    await signIn(service, user);
    expect(
      (await fetch(`${service.baseUrl}/api/list`, { headers: { Authorization: `Bearer ${user.token}` } })).status,
    ).toBe(200);
  });

  test.each<[string, unknown]>([
    ["unverified", false],
    ['"verified" as text', "true"],
    ["without a verified flag", undefined],
  ])("refuses an address that is %s", async (_, verified) => {
    const user = await service.build.user();
    const login = uniqueLogin();
    await provider().tell(login, { email: user.email, email_verified: verified });
    const visitor = createVisitor(service);
    await expectRefused(await visitor.signIn(login), visitor, 403, `verified that ${user.email} is your address`);
  });

  test("refuses people without an account, and says whom to ask", async () => {
    const login = uniqueLogin();
    await provider().tell(login, { email: `${login}@example.org`, email_verified: true });
    const visitor = createVisitor(service);
    const sentence = `There is no account for ${login}@example.org. Ask an administrator`;
    await expectRefused(await visitor.signIn(login), visitor, 403, sentence);
    expect(visitor.cookieOf(ATTEMPT_COOKIE)).toBeUndefined();
    await service.build.accounts.createUser({ email: `${login}@example.org`, slug: login, password: PASSWORD });
    await visitor.signIn(login);
    expect(await whoIs(service, visitor.cookies())).toMatchObject({ slug: login });
  });

  test.each([[{}], [{ email: "nonsense", email_verified: true }]])(
    "refuses people without a usable address: %j",
    async (claims) => {
      const login = uniqueLogin();
      await provider().tell(login, claims);
      const visitor = createVisitor(service);
      await expectRefused(await visitor.signIn(login), visitor, 403, "email address");
    },
  );
});

describeOneEngine("single sign-on with open registration", (engine) => {
  const service = use(() =>
    startWith(provider().issuer, { VITRINE_SIGN_UP: "open", VITRINE_DEFAULT_PLAN: "free" }, engine),
  );

  /** Returns the slug of a person's account after sign-in. */
  async function slugAfter(login: string): Promise<string | undefined> {
    const visitor = createVisitor(service);
    const response = await visitor.signIn(login);
    if (response.status !== 302) throw new Error(`${response.status} ${await response.text()}`);
    return (await whoIs(service, visitor.cookies()))?.slug;
  }

  test("creates an account with a workspace, once", async () => {
    const login = uniqueLogin();
    const claims = { email: `${login}@example.org`, email_verified: true, name: "Ada L.", preferred_username: login };
    await provider().tell(login, claims);
    expect(await slugAfter(login)).toBe(login);
    expect(await slugAfter(login)).toBe(login);
    const workspace = await service.build.store.people.findWorkspace(login);
    expect(workspace).toMatchObject({ slug: login, kind: "user", displayName: "Ada L.", plan: "free" });
  });

  test("finds another slug if the preferred one is taken, also for concurrent sign-ins", async () => {
    const wished = uniqueLogin();
    const taken = await service.build.organization();
    const people = Array.from({ length: 4 }, uniqueLogin);
    await Promise.all(
      people.map((login) => {
        const email = `${login}@example.org`;
        return provider().tell(login, { email, email_verified: true, preferred_username: `${wished}@example.org` });
      }),
    );
    const slugs = await Promise.all(people.map(slugAfter));
    expect(slugs.toSorted()).toEqual([wished, `${wished}-2`, `${wished}-3`, `${wished}-4`]);
    const late = uniqueLogin();
    await provider().tell(late, { email: `${late}@example.org`, email_verified: true, preferred_username: taken.slug });
    expect(await slugAfter(late)).toBe(`${taken.slug.slice(0, 32)}-2`);
  });

  test("creates one account for a person who signs in several times concurrently", async () => {
    const login = uniqueLogin();
    await provider().tell(login, { email: `${login}@example.org`, email_verified: true });
    const slugs = await Promise.all(Array.from({ length: 4 }, () => slugAfter(login)));
    expect(slugs).toEqual(Array(4).fill(login));
  });

  test("doesn't open an existing account for an unverified address", async () => {
    const user = await service.build.user();
    const login = uniqueLogin();
    await provider().tell(login, { email: user.email, email_verified: false });
    const visitor = createVisitor(service);
    await expectRefused(await visitor.signIn(login), visitor, 403, "verified that");
  });

  test("an account created with another person's address belongs to that person once they sign in", async () => {
    const [squatter, owner] = [uniqueLogin(), uniqueLogin()];
    const email = `${owner}@example.org`;
    await provider().tell(squatter, { email, email_verified: false });
    const early = createVisitor(service);
    await early.signIn(squatter);
    const { slug = "" } = (await whoIs(service, early.cookies())) ?? {};
    const token = await service.build.token({ userSlug: slug });
    await provider().tell(owner, { email, email_verified: true });
    expect(await slugAfter(owner)).toBe(slug);
    expect(await whoIs(service, early.cookies())).toBeUndefined();
    const list = await fetch(`${service.baseUrl}/api/list`, { headers: { Authorization: `Bearer ${token}` } });
    expect(list.status).toBe(401);
    const again = createVisitor(service);
    await expectRefused(await again.signIn(squatter), again, 403, "verified that");
  });

  test("an account without a password has none to change", async () => {
    const login = uniqueLogin();
    await provider().tell(login, { email: `${login}@example.org`, email_verified: true });
    const visitor = createVisitor(service);
    await visitor.signIn(login);
    const body = { currentPassword: PASSWORD, newPassword: "another horse" };
    const response = await post(service, "/api/auth/change-password", body, { Cookie: visitor.cookies() });
    expect(response.status).toBe(400);
    expect(failureSchema.parse(await response.json()).error).toContain("has no password");
    const guess = await post(service, "/api/auth/sign-in/email", { email: `${login}@example.org`, password: "" });
    expect(guess.status).toBe(401);
  });
});
