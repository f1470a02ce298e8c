import { beforeAll, describe, expect, test } from "bun:test";
import { newCode } from "../../../src/domain/model/codes.ts";
import { stableHeaders } from "../../support/content.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { HTML, type Person, REPORT_FILES, readersOf, statusOf } from "../../support/readers.ts";
import { random, useService } from "../../support/service.ts";
import { signIn } from "../../support/sessions.ts";
import { actionsOf } from "../app/actions.ts";

describeOneEngine("private links", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  const readers = readersOf(service);
  let owner: Person;

  beforeAll(async () => {
    owner = await readers.person();
  });

  test("the shell allows itself, its frame and nothing else", async () => {
    const { code } = await act.publish(owner.token, { files: REPORT_FILES });
    const [first, second] = [
      await readers.open(`/${code}/`, owner.cookie),
      await readers.open(`/${code}/`, owner.cookie),
    ];
    const policy = first.headers.get("content-security-policy") ?? "";
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    expect(policy).toBe(
      [
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        `worker-src ${service.baseUrl}/~shell/`,
        `style-src 'nonce-${nonce}'`,
        `connect-src ${service.baseUrl} ${service.baseUrl.replace("http", "ws")}`,
        `img-src ${service.baseUrl}/favicon.svg ${service.baseUrl}/favicon.ico`,
        `frame-src ${service.contentUrl}/`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join("; "),
    );
    expect(nonce.length).toBeGreaterThanOrEqual(22);
    expect(second.headers.get("content-security-policy")).not.toContain(nonce);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    const body = await first.text();
    expect(body).toContain(
      'sandbox="allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads allow-pointer-lock" allow="fullscreen *; clipboard-write *"',
    );
    expect(body.match(/<(script|style)(?! nonce=| id="state" type="application\/json">)/)).toBeNull();
  });

  test("a file of the report opens in a shell too, and redirects keep the query", async () => {
    const { code } = await act.publish(owner.token, { files: REPORT_FILES });
    // The shell's script adds the query, which only appears in the frame's address.
    expect(await readers.frameOf(code, owner, "more.html?a=1&b=%22")).toEndWith(`/${code}/more.html`);
    const { headers } = await readers.open(`/${code}?a=1&b=%22`, owner.cookie);
    expect(headers.get("location")).toBe(`${service.baseUrl}/${code}/?a=1&b=%22`);
  });

  describe("a visitor without a session", () => {
    test("is sent to sign-in and back, also for a code that never existed", async () => {
      const { code } = await act.publish(owner.token, { files: REPORT_FILES });
      for (const each of [code, newCode(random)]) {
        const response = await readers.open(`/${each}/more.html?x=1`, undefined);
        expect(response.status).toBe(302);
        const next = encodeURIComponent(`/${each}/more.html?x=1`);
        expect(response.headers.get("location")).toBe(`${service.baseUrl}/-/sign-in?next=${next}`);
      }
    });

    test("gets 401 as JSON with a token, and so does a token with a session", async () => {
      const { code } = await act.publish(owner.token, { files: REPORT_FILES });
      for (const cookie of [undefined, owner.cookie]) {
        for (const each of [code, newCode(random)]) {
          const response = await readers.open(`/${each}/`, cookie, { ...HTML, Authorization: `Bearer ${owner.token}` });
          expect(response.status).toBe(401);
          expect(await response.json()).toEqual({ error: expect.stringContaining(`${service.contentUrl}/${each}/`) });
        }
      }
    });

    test("can read public reports", async () => {
      const { code } = await act.publish(owner.token, { files: REPORT_FILES, visibility: "public" });
      for (const cookie of [undefined, owner.cookie]) {
        const response = await readers.open(`/${code}/a.css`, cookie);
        expect(response.headers.get("location")).toBe(`${service.contentUrl}/${code}/a.css`);
      }
    });

    test.each([
      ["/CODE/", "/CODE/"],
      ["/", "/"],
      ["//evil.example/", "/-/"],
      ["/\\evil.example", "/-/"],
      ["/.//evil.example", "/-/"],
      ["https://evil.example/", "/-/"],
      ["javascript:alert(1)", "/-/"],
      ["", "/-/"],
      ["/a\tb", "/ab"],
    ])("is sent on to %p as %p", async (next, expected) => {
      const response = await readers.open(`/-/sign-in?next=${encodeURIComponent(next)}`, owner.cookie);
      expect(response.headers.get("location")).toBe(service.baseUrl + expected);
      const page = await readers.open(`/-/sign-in?next=${encodeURIComponent(next)}`, undefined);
      expect(await page.text()).toContain(`data-next="${expected}"`);
    });
  });

  test("a stranger gets exactly the page of a code that never existed", async () => {
    const stranger = await readers.person();
    const { code } = await act.publish(owner.token, { files: REPORT_FILES });
    const pageOf = async (path: string) => {
      const response = await readers.open(path, stranger.cookie);
      return { status: response.status, headers: stableHeaders(response.headers), body: await response.text() };
    };
    const unknown = await pageOf(`/${newCode(random)}/`);
    expect(unknown.status).toBe(404);
    for (const path of ["", "/", "/a.css", "/none.css"]) expect(await pageOf(`/${code}${path}`)).toEqual(unknown);
  });

  describe("readers of private links", () => {
    test("a personal `org` report: people who share an organization with the owner", async () => {
      const { slug, members } = await service.build.organization({ roles: ["member", "member"] });
      const [ada, bob] = await Promise.all(members.map((member) => signedIn(member.slug)));
      if (!ada || !bob) throw new Error("There are no members.");
      const stranger = await readers.person();
      const token = await service.build.token({ userSlug: ada.slug });
      const { code } = await act.publish(token, { files: REPORT_FILES, visibility: "org" });
      const seen = async () => [
        await readers.mayOpen(code, ada),
        await readers.mayOpen(code, bob),
        await readers.mayOpen(code, stranger),
      ];
      expect(await seen()).toEqual([true, true, false]);
      const src = await readers.openedFrame(code, bob);
      expect(await statusOf(src)).toBe(200);
      await readers.leave(slug, ada.slug);
      expect(await statusOf(src)).toBe(404);
      expect(await seen()).toEqual([true, false, false]);
    });

    test("a personal private report: the owner only", async () => {
      const { members } = await service.build.organization({ roles: ["member", "admin"] });
      const [ada, admin] = await Promise.all(members.map((member) => signedIn(member.slug)));
      if (!ada || !admin) throw new Error("There are no members.");
      const { code } = await act.publish(await service.build.token({ userSlug: ada.slug }), { files: REPORT_FILES });
      expect([await readers.mayOpen(code, ada), await readers.mayOpen(code, admin)]).toEqual([true, false]);
    });

    test.each([
      ["private", [true, false, true, true, false]],
      ["org", [true, true, true, true, false]],
    ] as const)("an organization's %s report", async (visibility, expected) => {
      const { owner: boss, members } = await service.build.organization({ roles: ["member", "member", "admin"] });
      const known = await Promise.all([...members, boss].map(({ slug }) => signedIn(slug)));
      const { code } = await act.publish(members[0]?.token ?? "", { files: REPORT_FILES, visibility });
      const seen = await Promise.all([...known, await readers.person()].map((reader) => readers.mayOpen(code, reader)));
      expect(seen).toEqual([...expected]);
    });

    async function signedIn(slug: string) {
      return { slug, cookie: await signIn(service, { email: `${slug}@example.org` }) };
    }
  });

  describe("the content host's address of an `org` report", () => {
    test("redirects browsers to where it can be opened, but no other clients", async () => {
      const { code } = await act.publish(owner.token, { files: REPORT_FILES, visibility: "org" });
      const ask = (path: string, headers: Record<string, string>) =>
        fetch(`${service.contentUrl}/${code}/${path}`, { headers, redirect: "manual" });
      expect((await ask("", HTML)).headers.get("location")).toBe(`${service.baseUrl}/${code}/`);
      expect((await ask("more.html", HTML)).headers.get("location")).toBe(`${service.baseUrl}/${code}/more.html`);
      expect((await ask("a.css", { Accept: "text/css" })).status).toBe(404);
      expect((await ask("", { ...HTML, Authorization: `Bearer ${owner.token}` })).status).toBe(200);
    });
  });
});
