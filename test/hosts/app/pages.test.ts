import { beforeAll, expect, test } from "bun:test";
import { newCode } from "../../../src/domain/model/codes.ts";
import { reachesProgram } from "../../support/behind-nginx.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { HTML } from "../../support/readers.ts";
import { random, uniqueName, useService } from "../../support/service.ts";
import { signIn } from "../../support/sessions.ts";
import { actionsOf } from "./actions.ts";

const files = [
  { path: "index.html", content: "<title>T</title><link rel=stylesheet href=a.css>" },
  { path: "a.css", content: "p{}" },
];

const REFUSAL_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "content-type": "application/json;charset=utf-8",
  "cross-origin-resource-policy": "same-origin",
  "www-authenticate": "Bearer",
  "x-content-type-options": "nosniff",
};

describeOneEngine("a report's addresses on the application host", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let token: string;

  beforeAll(async () => {
    token = (await service.build.user()).token;
  });

  /** Returns status, headers without those that differ for each response, and bytes. */
  async function pageAt(path: string, init: RequestInit = {}) {
    const response = await act.open(path, init);
    const { date: _, "x-request-id": requestId, ...headers } = Object.fromEntries(response.headers);
    expect(requestId).toMatch(/^[0-9A-Za-z]{16}$/);
    return { status: response.status, headers, body: await response.text() };
  }

  test.each([
    ["/CODE", "/CODE/"],
    ["/CODE/", "/CODE/"],
    ["/CODE/index.html", "/CODE/index.html"],
    ["/CODE/a.css", "/CODE/a.css"],
  ])("%s of a public report redirects to the content host", async (path, target) => {
    const { code } = await act.publish(token, { visibility: "public", files });
    const response = await act.open(path.replace("CODE", code));
    expect(response.status).toBe(302);
    const location = response.headers.get("location") ?? "";
    expect(location).toBe(`${service.contentUrl}${target.replace("CODE", code)}`);
    expect((await fetch(location)).status).toBe(200);
  });

  test("the redirect is not cached, because visibility can change", async () => {
    const { code } = await act.publish(token, { visibility: "public", files });
    const { status, headers } = await pageAt(`/${code}/`);
    expect(status).toBe(302);
    expect(headers["cache-control"]).toBe("no-store");
    await act.setVisibility(token, { code, visibility: "private" });
    expect((await pageAt(`/${code}/`)).status).toBe(401);
    await act.setVisibility(token, { code, visibility: "public" });
    expect((await pageAt(`/${code}/`)).status).toBe(302);
  });

  test("each version of a public report redirects to its own content", async () => {
    const name = uniqueName();
    const codes = await act.publishVersions(token, name, 2, { visibility: "public" });
    for (const code of codes) {
      const response = await act.open(`/${code}/`);
      expect(response.headers.get("location")).toBe(`${service.contentUrl}/${code}/`);
    }
  });

  test.each(["", "/", "/index.html", "/a.css", "/none.css"])(
    "CODE%s of a private report looks to programs exactly like one that never existed",
    async (rest) => {
      const { code } = await act.publish(token, { files });
      const deleted = await act.publish(token, { visibility: "public", files });
      await act.deleteCode(token, deleted.code);
      const unknown = await pageAt(`/${newCode(random)}${rest}`);
      expect(unknown.status).toBe(401);
      expect(unknown.headers).toMatchObject(REFUSAL_HEADERS);
      expect(JSON.parse(unknown.body)).toEqual({ error: expect.stringContaining("browser") });
      expect(await pageAt(`/${code}${rest}`)).toEqual(unknown);
      expect(await pageAt(`/${deleted.code}${rest}`)).toEqual(unknown);
    },
  );

  const paths = [
    "/no-such-name/",
    "/7Kd0aQ2mXw9LbT4/",
    "/@nobody/none/",
    "/-/nothing",
    "/CODE/a/b",
    "/CODE/..%2f..%2fetc",
    "/CODE//",
    "/%00",
    "/%ff",
    "/%zz",
    "/robots.txt",
  ];

  test.each(paths.filter(reachesProgram))("%s looks the same to programs", async (path) => {
    const { code } = await act.publish(token, { visibility: "public", files });
    expect(await pageAt(path.replace("CODE", code))).toEqual(await pageAt(`/${newCode(random)}/`));
  });

  test("programs get the same refusal for every private report, also by its live link, and people are redirected", async () => {
    const name = uniqueName();
    const { code } = await act.publish(token, { name, files });
    const paths = [`/${name}`, `/${name}/`, `/${code}/`, "/none/", "/7Kd0aQ2mXw9LbT4/", `/@ada/${name}/`];
    const unknown = await pageAt(`/${newCode(random)}/`, { headers: { Accept: "application/json" } });
    for (const path of paths) {
      for (const headers of [{}, { Accept: "*/*" }, { Cookie: "vitrine_session=invalid" }]) {
        expect(await pageAt(path, { headers })).toEqual(unknown);
      }
    }
    for (const headers of [HTML, { Accept: "*/*", "Sec-Fetch-Dest": "document" }]) {
      for (const path of [`/${name}/`, `/${code}/`]) {
        const { status, headers: answered } = await pageAt(path, { headers });
        const next = encodeURIComponent(path);
        expect([status, answered.location]).toEqual([302, `${service.baseUrl}/-/sign-in?next=${next}`]);
      }
    }
    const bearer = { ...HTML, Authorization: `Bearer ${token}` };
    for (const path of [`/${name}/`, "/none/", "/none/a/b"]) {
      const refused = await pageAt(path, { headers: path.endsWith("b") ? { ...bearer, Accept: "*/*" } : bearer });
      expect([path, refused.status]).toEqual([path, 401]);
      expect(refused.headers).toMatchObject(REFUSAL_HEADERS);
    }
  });

  test.each(["/favicon.ico", "/favicon.svg"])("%s is the service's icon", async (path) => {
    const { status, headers, body } = await pageAt(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": path.endsWith("svg") ? "image/svg+xml" : "image/vnd.microsoft.icon",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
    expect(body.length).toBeGreaterThan(200);
  });

  test.each(["/", "/none/a/b"])("%s is a page that can't be framed or sniffed, or scripted by others", async (path) => {
    const { headers } = await pageAt(path, { headers: HTML });
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
    const scripts = /script-src [^;]*/.exec(headers["content-security-policy"] ?? "")?.[0];
    if (path === "/") expect(scripts).toMatch(/^script-src 'nonce-\w{22}'$/);
    else expect(scripts).toBeUndefined();
    expect(headers["set-cookie"]).toBeUndefined();
  });

  test("a browser that uses another name of this host is redirected to the one for sessions", async () => {
    const elsewhere = service.baseUrl.replace("localhost", "127.0.0.1");
    const ask = (path: string, headers: Record<string, string>) =>
      fetch(elsewhere + path, { headers, redirect: "manual" });
    const moved = await ask("/-/sign-in?next=/a", { Accept: "text/html" });
    expect([moved.status, moved.headers.get("location")]).toEqual([302, `${service.baseUrl}/-/sign-in?next=/a`]);
    expect((await ask("/api/list", { Authorization: `Bearer ${token}`, Accept: "text/html" })).status).toBe(200);
    expect((await ask("/", {})).status).toBe(200);
  });

  test("the first page says what Vitrine is and signs people in to their reports", async () => {
    const { status, body } = await pageAt("/");
    expect(status).toBe(200);
    expect(body).toContain("Vitrine publishes HTML reports");
    expect(body).toContain('data-to="/api/auth/sign-in/email" data-next="/-/"');
    expect(body).not.toContain("/api/upload");
  });

  test("a visitor sees one page for every link that isn't public, with sign-in as an option", async () => {
    const name = uniqueName();
    const { code } = await act.publish(token, { name, files });
    const deleted = await act.publish(token, { visibility: "public", files });
    await act.deleteCode(token, deleted.code);
    const pageOf = async (path: string) => {
      const { headers } = await pageAt(path, { headers: HTML });
      const { status, body } = await pageAt((headers.location ?? "").slice(service.baseUrl.length), { headers: HTML });
      expect(status).toBe(200);
      return body.replaceAll(/nonce="\w+"/g, "").replaceAll(path, "LINK");
    };
    const unknown = await pageOf(`/${uniqueName()}/`);
    expect(unknown).toContain("<h1>This report isn&#39;t public</h1>");
    expect(unknown).toContain("Ask the person who sent you the link.");
    expect(unknown).toContain('data-next="LINK"');
    for (const path of [`/${name}/`, `/${code}/`, `/${deleted.code}/`]) expect(await pageOf(path)).toBe(unknown);
  });

  test("a version link lists the versions of its report to those who may see them", async () => {
    const name = uniqueName();
    const person = await service.build.user();
    const codes = await act.publishVersions(person.token, name, 2);
    const unnamed = await act.publish(token, { files });
    const cookie = await signIn(service, person);
    const ask = (code: string, headers: Record<string, string>) => pageAt(`/${code}/~versions`, { headers });
    const { status, body } = await ask(codes[0] ?? "", { Cookie: cookie });
    expect(status).toBe(200);
    const { versions, complete } = JSON.parse(body);
    expect(complete).toBe(true);
    expect(versions.map(({ code }: { code: string }) => code)).toEqual([...codes].reverse());
    const unknown = newCode(random);
    const missing = await ask(unknown, { Cookie: cookie });
    expect(missing.status).toBe(404);
    expect(await ask(unnamed.code, { Cookie: cookie })).toEqual(missing);
    for (const headers of [HTML, {}, { Authorization: `Bearer ${token}` }])
      expect(await ask(codes[0] ?? "", headers)).toEqual(await ask(unknown, headers));
  });

  test("a private report is never served here, not even with a token", async () => {
    const { code } = await act.publish(token, { files });
    const { status, body } = await pageAt(`/${code}/`, { headers: { Authorization: `Bearer ${token}` } });
    expect([401, 404]).toContain(status);
    expect(body).not.toContain("stylesheet");
  });
});
