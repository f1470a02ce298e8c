import { beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { actionsOf } from "../hosts/app/actions.ts";
import { startService, useService } from "../support/service.ts";

const ACCEPT = "application/json, text/event-stream";
const MEBIBYTE = 1024 * 1024;
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

describe("POST /mcp", () => {
  const service = useService();
  let token: string;
  beforeAll(async () => {
    token = (await service.build.user()).token;
  });

  const send = (body: unknown, headers: Record<string, string | undefined> = {}, method = "POST") => {
    const given = { Authorization: `Bearer ${token}`, Accept: ACCEPT, "Content-Type": "application/json", ...headers };
    const kept = Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    const hasBody = method !== "GET" && method !== "HEAD";
    return fetch(`${service.baseUrl}/mcp`, {
      method,
      headers: Object.fromEntries(kept),
      redirect: "manual",
      ...(hasBody ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {}),
    });
  };

  const callTool = (name: string, args: unknown) =>
    send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name, arguments: args } });

  test("answers in JSON, with the API's headers and without a session", async () => {
    const response = await send(PING);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    const { headers } = response;
    expect(headers.get("content-type")).toContain("application/json");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("x-request-id")).toMatch(/^\w{16}$/);
    expect(headers.get("mcp-session-id")).toBeNull();
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  });

  test("accepts notifications", async () => {
    expect((await send({ jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
  });

  test.each([
    ["no token", { Authorization: undefined }],
    ["an invalid token", { Authorization: "Bearer vtr_nonsense" }],
    ["a cookie instead", { Authorization: undefined, Cookie: "session=1", Origin: "http://localhost" }],
    ["another site's page without a token", { Authorization: undefined, Origin: "https://evil.example" }],
  ])("%s is 401", async (_, headers) => {
    const response = await send(PING, headers);
    expect(response.status).toBe(401);
    const challenge = response.headers.get("www-authenticate");
    expect(challenge).toMatch(/^Bearer (?:error="invalid_token", )?resource_metadata="/);
    expect(challenge).toContain(`"${service.baseUrl}/.well-known/oauth-protected-resource/mcp"`);
    expect(await response.json()).toEqual({ error: expect.any(String) });
  });

  test.each(["GET", "DELETE", "PUT"])("%s is 405", async (method) => {
    const response = await send("", {}, method);
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
    expect(await response.json()).toEqual({ error: expect.any(String) });
  });

  test("browsers open the live link of a report with that name", async () => {
    const act = actionsOf(service);
    const { nameUrl } = await act.publish(token, { name: "mcp", visibility: "public" });
    for (const path of ["/mcp", "/mcp/"]) {
      const response = await fetch(service.baseUrl + path, { headers: { Accept: "text/html" }, redirect: "manual" });
      expect(response.headers.get("location")).toBe(nameUrl ?? "");
    }
    await act.deleteGroup(token, "mcp");
  });

  test.each([
    ["an empty body", ""],
    ["invalid JSON", "{"],
    ["invalid UTF-8", "\u{fffd}["],
    ["no message", "{}"],
    ["a number", "7"],
    ["another protocol", '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    [
      "a batch",
      JSON.stringify([PING, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }]),
    ],
    ["very many values", `{"a":[${"0,".repeat(20_000)}0]}`],
    ["deep nesting", "[".repeat(MEBIBYTE)],
    ["an unterminated string", `"${'\\"'.repeat(MEBIBYTE / 2)}`],
  ])("%s is 400, with an error of the protocol", async (_, body) => {
    const response = await send(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) }, id: null });
  });

  test("other content types, and clients that don't accept JSON, are refused", async () => {
    expect((await send(PING, { "Content-Type": "text/plain" })).status).toBe(415);
    expect((await send(PING, { Accept: "text/html" })).status).toBe(406);
  });

  test.each([
    ["an unknown method", { method: "foo" }],
    ["an unknown tool", { method: "tools/call", params: { name: "nope" } }],
    ["a tool named like a property of every object", { method: "tools/call", params: { name: "__proto__" } }],
    ["no tool", { method: "tools/call", params: {} }],
    ["invalid arguments", { method: "tools/call", params: { name: "list_workspaces", arguments: 7 } }],
    ["a task", { method: "tools/call", params: { name: "list_workspaces", task: {} } }],
    ["an unknown resource", { method: "resources/read", params: { uri: "x" } }],
    ["an unknown prompt", { method: "prompts/get", params: { name: "x" } }],
  ])("%s is an error of the protocol", async (_, message) => {
    const response = await send({ jsonrpc: "2.0", id: "a", ...message });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: "a", error: { code: expect.any(Number) } });
  });

  const result = z.object({
    result: z.object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })) }),
  });

  test("huge arguments are errors of the tool", async () => {
    const huge = "x".repeat(MEBIBYTE);
    for (const args of [{ q: huge }, { cursor: huge }, { [huge]: 1 }, { owner: huge }]) {
      const response = await callTool("search_reports", args);
      const { result: answer } = result.parse(await response.json());
      expect({ status: response.status, isError: answer.isError }).toEqual({ status: 200, isError: true });
    }
  });

  test("a body over 2 MB is 413", async () => {
    const response = await send(`"${"x".repeat(2 * MEBIBYTE)}"`);
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ error: "The request body exceeds the limit of 2 MB." });
  });

  test("a report of nearly 2 MB is published", async () => {
    const content = `<!doctype html><title>Large</title>${'<p class="a">x</p>\n'.repeat(90_000)}`;
    const { result: answer } = result.parse(await (await callTool("publish_report", { files: [{ content }] })).json());
    expect(answer.content[0]?.text).toStartWith("Published");
  });

  test("requests count towards the rate limit", async () => {
    await using limited = await startService({ environment: { VITRINE_RATE_LIMIT: "3" } });
    const { token: own } = await limited.build.user();
    const ask = (message: unknown) =>
      fetch(`${limited.baseUrl}/mcp`, {
        method: "POST",
        headers: { Authorization: `Bearer ${own}`, Accept: ACCEPT, "Content-Type": "application/json" },
        body: JSON.stringify(message),
      });
    expect((await ask(PING)).status).toBe(200);
    expect((await ask(PING)).status).toBe(200);
    // The request counts, and the API call of the tool exceeds the limit.
    const call = await ask({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_workspaces" } });
    expect(result.parse(await call.json()).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/Try again in/) }],
    });
    const over = await ask(PING);
    expect(over.status).toBe(429);
    expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
