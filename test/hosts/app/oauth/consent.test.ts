import { describe, expect, test } from "bun:test";
import { connectAppRoute } from "../../../../src/contract/oauth/apps.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { useService } from "../../../support/service.ts";
import { asPage, post } from "../../../support/sessions.ts";
import { oauthActions, REDIRECT } from "./oauth-support.ts";

describeOneEngine("OAuth", (engine) => {
  const service = useService({ engine });
  const act = oauthActions(service);

  describe("consent", () => {
    const WRONG: readonly [string, object, string][] = [
      [
        "an address that isn't registered",
        { redirect_uri: "https://evil.example/" },
        "isn't one that the app registered",
      ],
      ["a longer path", { redirect_uri: `${REDIRECT}/more` }, "isn't one that the app registered"],
      ["no PKCE", { code_challenge: undefined }, "code_challenge"],
      ["plain PKCE", { code_challenge_method: "plain" }, "S256"],
      ["another resource", { resource: "https://elsewhere.example/mcp" }, "isn't this server"],
      ["unknown scopes", { scope: "admin" }, "none of the scopes"],
      ["implicit flow", { response_type: "token" }, "response_type must be code"],
      ["an unknown program", { client_id: "app_0000000000000000" }, "isn't registered here"],
    ];

    test.each(WRONG)(
      "with %s is refused on the page and in the call, without a redirect",
      async (_, overrides, text) => {
        const user = await act.person();
        const request = act.requestOf(String((await act.register()).answer.client_id), overrides);
        const given = Object.entries(request).filter(([, value]) => value !== undefined);
        const page = await fetch(
          `${service.baseUrl}/-/oauth/authorize?${new URLSearchParams(Object.fromEntries(given))}`,
          {
            headers: { Cookie: user.cookie },
            redirect: "manual",
          },
        );
        expect([page.status, page.headers.get("location")]).toEqual([400, null]);
        expect((await page.text()).replaceAll("&#39;", "'")).toContain(text);
        const body = { request, allow: true, owner: user.slug, scopes: ["reports:read"] };
        const call = await post(service, "/api/apps/connect", body, asPage(service, user.cookie));
        expect([call.status, await call.text()]).toEqual([400, expect.stringContaining(text)]);
      },
    );

    test("is for another port of this computer, as programs choose one at random", async () => {
      const user = await act.person();
      const clientId = String((await act.register()).answer.client_id);
      const address = REDIRECT.replace("33418", "50123");
      expect((await act.allow(user, clientId, { redirect_uri: address })).origin).toBe("http://127.0.0.1:50123");
    });

    test("can't be framed or cached, and leads to sign-in and back", async () => {
      const clientId = String((await act.register()).answer.client_id);
      const path = `/-/oauth/authorize?${new URLSearchParams(act.requestOf(clientId))}`;
      const away = await fetch(service.baseUrl + path, { redirect: "manual" });
      expect(away.headers.get("location")).toBe(`${service.baseUrl}/-/sign-in?next=${encodeURIComponent(path)}`);
      const { cookie } = await act.person();
      const { headers } = await fetch(service.baseUrl + path, { headers: { Cookie: cookie } });
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("cache-control")).toBe("no-store");
    });

    test("can't be forged by another site, a token, an old session or for another's workspace", async () => {
      const user = await act.person();
      const other = await act.person();
      const request = act.requestOf(String((await act.register()).answer.client_id));
      const body = { request, allow: true, owner: user.slug, scopes: ["reports:read"] };
      const connect = (headers: Record<string, string>, changed: object = {}) =>
        post(service, "/api/apps/connect", { ...body, ...changed }, headers);
      const own = asPage(service, user.cookie);
      expect((await connect({ ...own, Origin: "https://evil.example" })).status).toBe(403);
      expect((await connect({ Authorization: `Bearer ${user.token}` })).status).toBe(403);
      expect((await connect(own, { owner: other.slug })).status).toBe(404);
      expect((await connect(own, { scopes: [] })).status).toBe(400);
      const narrow = { request: { ...request, scope: "reports:read" }, scopes: ["reports:delete"] };
      expect((await connect(own, narrow)).status).toBe(400);
      await executeSql(service.database, "update sessions set authenticated_at = 0");
      expect((await connect(own)).status).toBe(403);
      const page = await fetch(`${service.baseUrl}/-/oauth/authorize?${new URLSearchParams(request)}`, {
        headers: own,
      });
      expect(await page.text()).toContain("Confirm it");
    });

    test("that is declined tells the program", async () => {
      const { page, slug } = await act.person();
      const request = act.requestOf(String((await act.register()).answer.client_id));
      const { url } = await page.call(connectAppRoute, { body: { request, allow: false, owner: slug, scopes: [] } });
      expect(new URL(url).searchParams.get("error")).toBe("access_denied");
    });
  });

  describe("registration", () => {
    test.each([
      ["javascript:alert(1)", "javascript:alert(1)"],
      ["plain http", "http://example.org/callback"],
      ["a fragment", "https://example.org/#a"],
      ["a password", "https://a:b@example.org/"],
      ["data", "data:text/html,a"],
    ])("refuses %s as an address", async (_, uri) => {
      const { response, answer } = await act.register({ redirect_uris: [uri] });
      expect([response.status, answer.error]).toEqual([400, "invalid_redirect_uri"]);
    });

    test("refuses what isn't metadata, and cleans names", async () => {
      expect((await act.register({ redirect_uris: [] })).answer.error).toBe("invalid_client_metadata");
      expect((await act.register({ grant_types: ["client_credentials"] })).answer.error).toBe(
        "invalid_client_metadata",
      );
      const { answer } = await act.register({ client_name: `\u202eClaude${"a".repeat(200)}` });
      expect(answer).toMatchObject({ client_name: `Claude${"a".repeat(74)}`, token_endpoint_auth_method: "none" });
    });
  });
});
