import { describe, expect, test } from "bun:test";
import { auth } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { appsRoute, disconnectAppRoute } from "../../../../src/contract/oauth/apps.ts";
import { tokensRoute } from "../../../../src/contract/tokens/tokens.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { useService } from "../../../support/service.ts";
import { asPage, post } from "../../../support/sessions.ts";
import { createProvider, oauthActions, REDIRECT, refusalOf, refused, sendForm, tokensSchema } from "./oauth-support.ts";

describeOneEngine("OAuth", (engine) => {
  const service = useService({ engine });
  const act = oauthActions(service);

  describe("for agents", () => {
    test("the SDK's client registers, is sent to the consent page, connects, and refreshes", async () => {
      const url = new URL("/mcp", service.baseUrl);
      const provider = createProvider();
      const client = () => new Client({ name: "test", version: "1" });
      const first = new StreamableHTTPClientTransport(url, { authProvider: provider });
      await expect(client().connect(first)).rejects.toThrow("Unauthorized");
      await client()
        .connect(first)
        .catch(() => undefined);
      const opened = provider.opened;
      expect(opened?.pathname).toBe("/-/oauth/authorize");
      const request = Object.fromEntries(opened?.searchParams ?? []);
      expect(request).toMatchObject({ resource: url.href, scope: "reports:read reports:write", state: "a state" });

      const user = await act.person();
      const consent = await fetch(opened?.href ?? "", { headers: { Cookie: user.cookie } });
      expect(await consent.text()).toContain("Connect Test agent to Vitrine?");
      const back = await act.allow(user, request.client_id ?? "", request);
      expect(back.href).toStartWith(REDIRECT);
      expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: "a state", iss: service.baseUrl });

      await first.finishAuth(back.searchParams.get("code") ?? "");
      const connected = client();
      await connected.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
      expect((await connected.listTools()).tools.length).toBeGreaterThan(5);

      const before = provider.kept;
      await executeSql(service.database, `update tokens set expires_at = 1 where name = 'Test agent'`);
      expect(await act.statusOf(before?.access_token ?? "")).toBe(401);
      expect((await connected.listTools()).tools.length).toBeGreaterThan(5);
      expect(provider.kept?.access_token).not.toBe(before?.access_token);
      await connected.close();
      expect(await auth(provider, { serverUrl: url })).toBe("AUTHORIZED");
    });

    test("the SDK's client connects to an address with a slash at its end", async () => {
      const { tokens } = await act.connected();
      const provider = createProvider();
      provider.kept = tokens;
      const url = new URL("/mcp/", service.baseUrl);
      const connected = new Client({ name: "test", version: "1" });
      await connected.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
      expect((await connected.listTools()).tools.length).toBeGreaterThan(5);
      await connected.close();
      const another = createProvider();
      expect(await auth(another, { serverUrl: url })).toBe("REDIRECT");
      expect(another.opened?.searchParams.get("resource")).toBe(`${service.baseUrl}/mcp`);
    });

    test("a client that has a metadata document needs no registration", async () => {
      const id = "https://agent.example/oauth/client.json";
      const provider = Object.assign(createProvider(), { clientMetadataUrl: id });
      expect(await auth(provider, { serverUrl: new URL("/mcp", service.baseUrl) })).toBe("REDIRECT");
      expect(provider.opened?.searchParams.get("client_id")).toBe(id);
      // The name leads nowhere from here.
      const { cookie } = await act.person();
      const page = await fetch(provider.opened?.href ?? "", { headers: { Cookie: cookie } });
      expect([page.status, await page.text()]).toEqual([400, expect.stringContaining(`description at ${id} can`)]);
    });

    test("a token is for its workspace and scopes, lasts an hour, and is listed as an app", async () => {
      const { tokens, page, slug, clientId } = await act.connected();
      expect(tokens).toMatchObject({ expires_in: 3600, scope: "reports:read reports:write" });
      const { apps } = await page.call(appsRoute);
      expect(apps).toEqual([
        {
          id: expect.stringMatching(/^grn_/),
          name: "Agent",
          client_id: clientId,
          workspace: slug,
          scopes: ["reports:read", "reports:write"],
          created_at: expect.any(String),
          last_used_at: expect.any(String),
        },
      ]);
      const names = (await page.call(tokensRoute)).tokens.map(({ name }) => name);
      expect(names).not.toContain("Agent");
      expect(await act.statusOf(tokens.access_token)).toBe(200);
      const deleting = await post(
        service,
        "/api/delete-code",
        { code: "7Kd0aQ2mXw9LbT4e" },
        {
          Authorization: `Bearer ${tokens.access_token}`,
        },
      );
      expect(deleting.status).toBe(403);
    });

    test("a disconnected app loses both tokens at once", async () => {
      const { tokens, page, clientId } = await act.connected();
      const [app] = (await page.call(appsRoute)).apps;
      const other = await act.person();
      await expect(other.page.call(disconnectAppRoute, { body: { id: app?.id ?? "" } })).rejects.toThrow(
        "App not found",
      );
      await page.call(disconnectAppRoute, { body: { id: app?.id ?? "" } });
      expect(await act.statusOf(tokens.access_token)).toBe(401);
      expect(await refusalOf(await act.refresh(clientId, tokens.refresh_token))).toEqual(refused(400, "invalid_grant"));
      expect((await page.call(appsRoute)).apps).toEqual([]);
    });

    test("revoking all access tokens with a password change revokes apps too", async () => {
      const { tokens, cookie, clientId } = await act.connected();
      const changed = await post(
        service,
        "/api/auth/change-password",
        { currentPassword: "correct horse", newPassword: "another horse", revokeTokens: true },
        asPage(service, cookie),
      );
      expect(changed.status).toBe(200);
      expect(await act.statusOf(tokens.access_token)).toBe(401);
      expect((await act.refresh(clientId, tokens.refresh_token)).status).toBe(400);
    });

    test("a program revokes its own token", async () => {
      const { tokens, clientId } = await act.connected();
      const revoke = (client: string) =>
        sendForm(service, "/-/oauth/revoke", { client_id: client, token: tokens.refresh_token });
      expect((await revoke("another")).status).toBe(200);
      expect(await act.statusOf(tokens.access_token)).toBe(200);
      expect((await revoke(clientId)).status).toBe(200);
      expect(await act.statusOf(tokens.access_token)).toBe(401);
    });
  });

  describe("a code", () => {
    test("works once; the second use ends the grant", async () => {
      const { code, clientId, tokens } = await act.connected();
      expect(await refusalOf(await act.redeem(clientId, code))).toEqual(refused(400, "invalid_grant"));
      expect(await act.statusOf(tokens.access_token)).toBe(401);
    });

    test("is redeemed by one of two requests at the same time", async () => {
      const user = await act.person();
      const clientId = String((await act.register()).answer.client_id);
      const code = (await act.allow(user, clientId)).searchParams.get("code");
      const both = await Promise.all([act.redeem(clientId, code), act.redeem(clientId, code)]);
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    });

    test.each([
      ["another verifier", { code_verifier: "a".repeat(43) }],
      ["no verifier", { code_verifier: undefined }],
      ["another address", { redirect_uri: "http://127.0.0.1:33418/other" }],
      ["another program", { client_id: "app_0000000000000000" }],
    ])("is refused with %s", async (_, overrides) => {
      const user = await act.person();
      const clientId = String((await act.register()).answer.client_id);
      const code = (await act.allow(user, clientId)).searchParams.get("code");
      expect(await refusalOf(await act.redeem(clientId, code, overrides))).toEqual(refused(400, "invalid_grant"));
      expect((await act.redeem(clientId, code)).status).toBe(200);
    });

    test("is refused for another resource, and after a minute", async () => {
      const user = await act.person();
      const clientId = String((await act.register()).answer.client_id);
      const code = (await act.allow(user, clientId)).searchParams.get("code");
      const other = await act.redeem(clientId, code, { resource: "https://elsewhere.example/mcp" });
      expect(await refusalOf(other)).toEqual(refused(400, "invalid_target"));
      await executeSql(service.database, "update oauth_secrets set expires_at = expires_at - 60001");
      expect(await refusalOf(await act.redeem(clientId, code))).toEqual(refused(400, "invalid_grant"));
    });
  });

  describe("a refresh token", () => {
    test("is replaced by each use, and ends the grant when it comes again later", async () => {
      const { clientId, tokens } = await act.connected();
      const next = tokensSchema.parse(await (await act.refresh(clientId, tokens.refresh_token)).json());
      expect(next.refresh_token).not.toBe(tokens.refresh_token);
      // Processes that share a token, and answers that get lost, are no theft.
      expect((await act.refresh(clientId, tokens.refresh_token)).status).toBe(200);
      await executeSql(service.database, "update oauth_secrets set used_at = used_at - 30001");
      expect(await refusalOf(await act.refresh(clientId, tokens.refresh_token))).toEqual(refused(400, "invalid_grant"));
      expect(await act.statusOf(next.access_token)).toBe(401);
      expect((await act.refresh(clientId, next.refresh_token)).status).toBe(400);
    });

    test("belongs to its program and its scopes", async () => {
      const { clientId, tokens } = await act.connected();
      const { client_id: other } = (await act.register()).answer;
      expect((await act.refresh(String(other), tokens.refresh_token)).status).toBe(400);
      const wider = await act.refresh(clientId, tokens.refresh_token, { scope: "reports:delete" });
      expect(await refusalOf(wider)).toEqual(refused(400, "invalid_scope"));
      expect((await act.refresh(clientId, tokens.refresh_token)).status).toBe(200);
    });

    test("stops working when its user is disabled", async () => {
      const { clientId, tokens, slug } = await act.connected();
      await executeSql(
        service.database,
        `update users set disabled_at = 1 where id = (select user_id from memberships
          join workspaces on workspaces.id = workspace_id where slug = '${slug}')`,
      );
      expect(await act.statusOf(tokens.access_token)).toBe(401);
      expect(await refusalOf(await act.refresh(clientId, tokens.refresh_token))).toEqual(refused(400, "invalid_grant"));
    });
  });

  test("the endpoints of programs answer other sites, and the calls of people don't", async () => {
    const documents = ["oauth-authorization-server", "oauth-protected-resource", "oauth-protected-resource/mcp"];
    const wellKnown = documents.map((name) => `/.well-known/${name}`);
    for (const path of wellKnown) {
      const { headers } = await fetch(service.baseUrl + path, { headers: { Origin: "https://a.example" } });
      expect([path, headers.get("access-control-allow-origin")]).toEqual([path, "*"]);
    }
    for (const path of ["/-/oauth/token", "/-/oauth/register", "/-/oauth/revoke", "/mcp", "/mcp/", ...wellKnown]) {
      const response = await fetch(service.baseUrl + path, {
        method: "OPTIONS",
        headers: { Origin: "https://a.example", "Access-Control-Request-Headers": "authorization,mcp-method" },
      });
      const { headers } = response;
      expect([path, response.status, headers.get("access-control-allow-origin")]).toEqual([path, 204, "*"]);
      expect(headers.get("access-control-allow-headers")).toBe("Authorization, *");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
    }
    const unauthorized = await fetch(`${service.baseUrl}/mcp`, {
      method: "POST",
      headers: { Origin: "https://a.example" },
    });
    expect(unauthorized.status).toBe(401);
    expect(unauthorized.headers.get("access-control-allow-origin")).toBe("*");
    expect(unauthorized.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
    expect(unauthorized.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    const response = await fetch(`${service.baseUrl}/api/apps`, { headers: { Origin: "https://a.example" } });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    const odd = await sendForm(service, "/-/oauth/token", { grant_type: "password" }, { Origin: "https://a.example" });
    expect(odd.headers.get("access-control-allow-origin")).toBe("*");
    expect(await refusalOf(odd)).toEqual(refused(400, "unsupported_grant_type"));
  });

  test("a session is worth nothing at the endpoints of programs, also from this site", async () => {
    const { cookie } = await act.person();
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_workspaces", arguments: {} } };
    const accept = { Accept: "application/json, text/event-stream" };
    const response = await post(service, "/mcp", call, { ...asPage(service, cookie), ...accept });
    expect([response.status, response.headers.has("www-authenticate")]).toEqual([401, true]);
    const own = asPage(service, cookie);
    for (const path of ["/-/oauth/register", "/.well-known/oauth-authorization-server", "/-/oauth/token"]) {
      const answered = await fetch(service.baseUrl + path, { headers: own });
      expect([path, answered.headers.get("access-control-allow-credentials")]).toEqual([path, null]);
      expect([path, answered.headers.get("set-cookie")]).toEqual([path, null]);
    }
  });

  test("other metadata doesn't exist, which tells programs to look further", async () => {
    for (const path of ["openid-configuration", "oauth-authorization-server/mcp", "oauth-protected-resource/x"]) {
      const response = await fetch(`${service.baseUrl}/.well-known/${path}`, {
        headers: { Origin: "https://a.example" },
      });
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
    }
  });
});
