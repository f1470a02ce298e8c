import { describe, expect, test } from "bun:test";
import { acceptInvitationRoute, revokeInvitationRoute } from "../../../../src/contract/people/invitations.ts";
import { reachesProgram } from "../../../support/behind-nginx.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization, addPerson, buildAccount, invite, type Organization } from "../../../support/people.ts";
import { useService } from "../../../support/service.ts";
import { post, signIn } from "../../../support/sessions.ts";

describeOneEngine("the pages for people and organizations", (engine) => {
  const closed = useService({ engine });
  const open = useService({ engine, environment: { VITRINE_SIGN_UP: "open" } });

  async function pageAt(path: string, who?: { email: string }, service = closed) {
    const headers = { Accept: "text/html", ...(who === undefined ? {} : { Cookie: await signIn(service, who) }) };
    const response = await fetch(service.baseUrl + path, { headers, redirect: "manual" });
    const location = response.headers.get("location");
    return { status: response.status, location, headers: response.headers, body: await response.text() };
  }
  const plain = ({ status, location, body }: Awaited<ReturnType<typeof pageAt>>) => ({ status, location, body });

  test.each(["/-/", "/-/account", "/-/w/some/members?a=b", "/-/none"])(
    "%s sends visitors to sign-in and back",
    async (path) => {
      const { status, location } = await pageAt(path);
      expect([status, location]).toEqual([302, `${closed.baseUrl}/-/sign-in?next=${encodeURIComponent(path)}`]);
    },
  );

  test("the former address of organizations redirects to their members, and nowhere else", async () => {
    for (const who of [undefined, await addPerson(closed)]) {
      const { status, location } = await pageAt("/-/organizations/analytics", who);
      expect([status, location]).toEqual([302, `${closed.baseUrl}/-/w/analytics/members`]);
    }
    const odd = "/-/organizations/..%2f..%2f%2fevil.example%00%3cb%3e";
    if (!reachesProgram(odd)) return;
    const { location } = await pageAt(odd);
    expect(location).toBe(`${closed.baseUrl}/-/w/..%2F..%2F%2Fevil.example%00%3Cb%3E/members`);
  });

  test("the first page and sign-in redirect signed-in users to their reports", async () => {
    const person = await addPerson(open);
    for (const path of ["/", "/-/sign-in", "/-/sign-up"]) {
      const { status, location } = await pageAt(path, person, open);
      expect([status, location]).toEqual([302, `${open.baseUrl}/-/`]);
    }
    expect((await pageAt("/-/sign-in")).body).toContain('data-next="/-/"');
    expect((await pageAt("/-/sign-in", person, open)).location).toBe(`${open.baseUrl}/-/`);
  });

  test("they can't be framed, sniffed, scripted or cached", async () => {
    const { owner, slug } = await addOrganization(closed);
    const { url } = await invite(closed, owner.token, { owner: slug });
    for (const path of ["/-/account", `/-/w/${slug}/members`, url.slice(closed.baseUrl.length)]) {
      const { status, headers } = await pageAt(path, owner);
      expect([status, headers.get("cache-control"), headers.get("x-frame-options")]).toEqual([200, "no-store", "DENY"]);
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'nonce-\w{22}';/);
    }
  });

  test("names are text and not HTML", async () => {
    const name = `<img src=x onerror=alert(1)>"'&`;
    const account = buildAccount({ name });
    await closed.build.accounts.createUser(account);
    const slug = `org-${account.slug}`.slice(0, 39);
    await closed.build.accounts.createOrganization({ slug, name, ownerSlug: account.slug });
    const token = await closed.build.token({ userSlug: account.slug });
    const { url } = await invite(closed, token, { owner: slug });
    for (const who of [undefined, account, await addPerson(closed)]) {
      const { body } = await pageAt(url.slice(closed.baseUrl.length), who);
      expect(body).not.toContain("<img");
      expect(body).toContain("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;");
    }
  });

  describe("an invitation", () => {
    type Invited = Organization & { id: string; secret: string };
    const ends: readonly [string, (invited: Invited) => Promise<unknown>][] = [
      [
        "used",
        ({ stranger, secret }) =>
          closed.client(stranger.token).call(acceptInvitationRoute, { body: { token: secret } }),
      ],
      [
        "revoked",
        ({ owner, slug, id }) => closed.client(owner.token).call(revokeInvitationRoute, { body: { owner: slug, id } }),
      ],
      [
        "expired",
        ({ id }) => executeSql(closed.database, `update invitations set expires_at = ${Date.now()} where id = '${id}'`),
      ],
    ];

    test.each(ends)("that is %s shows the same page as an unknown one, to everyone", async (_, end) => {
      const organization = await addOrganization(closed);
      const { id, secret } = await invite(closed, organization.owner.token, { owner: organization.slug });
      const path = `/-/invitation?token=${secret}`;
      expect((await pageAt(path)).status).toBe(200);
      await end({ ...organization, id, secret });
      const never = plain(await pageAt("/-/invitation?token=never"));
      expect(never.status).toBe(404);
      expect(plain(await pageAt(path))).toEqual(never);
      expect(plain(await pageAt(path, organization.owner))).toEqual(never);
      expect(plain(await pageAt("/-/invitation"))).toEqual(never);
    });

    test("is not used up by viewing it", async () => {
      const { owner, stranger, slug } = await addOrganization(closed);
      const { secret } = await invite(closed, owner.token, { owner: slug });
      for (let time = 0; time < 3; time++)
        expect((await pageAt(`/-/invitation?token=${secret}`, stranger)).status).toBe(200);
      const cookie = await signIn(closed, stranger);
      const joined = await post(closed, acceptInvitationRoute.path, { token: secret }, { Cookie: cookie });
      expect(await joined.json()).toEqual({ ok: true, owner: slug });
    });
  });

  describe("the registration page", () => {
    test("exists, with a link on the sign-in page, only if registration is open", async () => {
      expect((await pageAt("/-/sign-in")).body).not.toContain("/-/sign-up");
      expect(plain(await pageAt("/-/sign-up"))).toEqual(plain(await pageAt("/a/b")));
      expect((await pageAt("/-/sign-in?next=/a", undefined, open)).body).toContain('href="/-/sign-up?next=%2Fa"');
      const { status, body } = await pageAt("/-/sign-up?next=/a", undefined, open);
      expect(status).toBe(200);
      expect(body).toContain('data-next="/a"');
    });

    test("redirects signed-in users, but to no other site", async () => {
      const { body } = await pageAt("/-/sign-up?next=https://evil.example/", undefined, open);
      expect(body).toContain('data-next="/-/"');
      const { status, location } = await pageAt("/-/sign-up?next=/a", await addPerson(open), open);
      expect([status, location]).toEqual([302, `${open.baseUrl}/a`]);
    });
  });
});
