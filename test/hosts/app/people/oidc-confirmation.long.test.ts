import { expect, test } from "bun:test";
import { createTokenRoute } from "../../../../src/contract/tokens/tokens.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { pageClient } from "../../../support/sessions.ts";
import { use } from "../../../support/use.ts";
import { createVisitor, type Visitor } from "./oidc-provider.ts";
import { providerOfFile, startWith, uniqueLogin, whoIs } from "./oidc-support.ts";

const provider = providerOfFile();
const NEXT = "/-/account/tokens";

describeOneEngine("confirming an identity by single sign-on", (engine) => {
  const service = use(() => startWith(provider().issuer, {}, engine));

  /** Returns a person who signed in an hour ago, here and at the provider. */
  async function person() {
    const user = await service.build.user();
    const login = uniqueLogin();
    await provider().tell(login, { email: user.email, email_verified: true });
    const visitor = createVisitor(service);
    expect((await visitor.signIn(login)).status).toBe(302);
    const who = `(select id from users where email = '${user.email}')`;
    await executeSql(service.database, `update sessions set authenticated_at = 1 where user_id = ${who}`);
    return { ...user, login, visitor };
  }

  const makeToken = (visitor: Visitor, owner: string) =>
    pageClient(service, visitor.cookies())
      .call(createTokenRoute, { body: { owner, name: "Build", scopes: ["reports:read"], expires_in_days: 1 } })
      .then(
        () => 200,
        ({ status }) => status,
      );

  test("requires a fresh sign-in at the provider, and keeps the session", async () => {
    const { slug, login, visitor } = await person();
    expect(await makeToken(visitor, slug)).toBe(403);
    const before = visitor.cookieOf("vitrine_session");
    const url = await visitor.begin(NEXT, { confirm: true });
    expect(new URL(url).searchParams.get("prompt")).toBe("login");
    expect(new URL(url).searchParams.get("max_age")).toBe("300");
    const back = await visitor.get(await visitor.visitProvider(url, login));
    expect([back.status, back.headers.get("location")]).toEqual([302, service.baseUrl + NEXT]);
    expect(visitor.cookieOf("vitrine_session")).toBe(before);
    expect(await makeToken(visitor, slug)).toBe(200);
  });

  test("is refused to another person, without signing them in", async () => {
    const { slug, visitor } = await person();
    const other = await person();
    const url = await visitor.begin(NEXT, { confirm: true });
    const back = await visitor.get(await visitor.visitProvider(url, other.login));
    expect(back.status).toBe(403);
    expect(await back.text()).toContain("with a different account");
    expect(await whoIs(service, visitor.cookies())).toMatchObject({ slug });
    expect(await makeToken(visitor, slug)).toBe(403);
  });

  test("creates no account for an unknown identity", async () => {
    const { slug, visitor } = await person();
    const login = uniqueLogin();
    await provider().tell(login, { email: `${login}@example.org`, email_verified: true });
    const before = await service.build.accounts.countUsers();
    const url = await visitor.begin(NEXT, { confirm: true });
    expect((await visitor.get(await visitor.visitProvider(url, login))).status).toBe(403);
    expect(await service.build.accounts.countUsers()).toBe(before);
    expect(await makeToken(visitor, slug)).toBe(403);
  });

  test("fails if the browser removed the request to ask again from the address", async () => {
    const { slug, login, visitor } = await person();
    const wished = new URL(await visitor.begin(NEXT, { confirm: true }));
    wished.searchParams.delete("prompt");
    wished.searchParams.delete("max_age");
    const back = await visitor.get(await visitor.visitProvider(wished.href, login));
    expect(back.status).toBe(403);
    expect(await makeToken(visitor, slug)).toBe(403);
  });

  test("signs in as usual if the session has ended meanwhile", async () => {
    const { slug, login, visitor } = await person();
    const url = await visitor.begin(NEXT, { confirm: true });
    await executeSql(service.database, "delete from sessions");
    const back = await visitor.get(await visitor.visitProvider(url, login));
    expect([back.status, back.headers.get("location")]).toEqual([302, service.baseUrl + NEXT]);
    expect(await makeToken(visitor, slug)).toBe(200);
  });
});
