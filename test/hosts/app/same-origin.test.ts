import { beforeAll, expect, test } from "bun:test";
import { describeOneEngine } from "../../support/engines.ts";
import { failureSchema } from "../../support/scenarios.ts";
import { buildUpload, PASSWORD, useService } from "../../support/service.ts";
import { post, signIn } from "../../support/sessions.ts";

const SIGN_IN = "/api/auth/sign-in/email";

describeOneEngine("requests that other sites trigger in a browser", (engine) => {
  const service = useService({ engine });
  let user: { email: string; token: string };
  let cookie: string;

  beforeAll(async () => {
    user = await service.build.user();
    cookie = await signIn(service, user);
  });

  const listAs = async (headers: Record<string, string>) =>
    (await fetch(`${service.baseUrl}/api/list`, { headers })).status;

  const own = () => service.baseUrl;
  const origins: readonly [string, () => Record<string, string>, boolean][] = [
    ["its own origin", () => ({ Origin: own() }), true],
    ["its own origin and contradicting hints", () => ({ Origin: own(), "Sec-Fetch-Site": "cross-site" }), true],
    ["no origin, same-origin", () => ({ "Sec-Fetch-Site": "same-origin" }), true],
    ["no origin, same-site", () => ({ "Sec-Fetch-Site": "same-site" }), false],
    ["no origin, cross-site", () => ({ "Sec-Fetch-Site": "cross-site" }), false],
    ["no origin, typed in", () => ({ "Sec-Fetch-Site": "none" }), false],
    ["no origin, no hints", () => ({}), false],
    ["origin null", () => ({ Origin: "null" }), false],
    ["origin null, same-origin", () => ({ Origin: "null", "Sec-Fetch-Site": "same-origin" }), false],
    ["the content host's origin", () => ({ Origin: service.contentUrl }), false],
    ["another port", () => ({ Origin: "http://localhost:1" }), false],
    ["another scheme", () => ({ Origin: own().replace("http:", "https:") }), false],
    ["an origin with the same beginning", () => ({ Origin: `${own()}.example.org` }), false],
    ["an empty origin", () => ({ Origin: "", "Sec-Fetch-Site": "cross-site" }), false],
  ];
  const targets: readonly [string, () => unknown, () => Record<string, string>][] = [
    [SIGN_IN, () => ({ email: user.email, password: PASSWORD }), () => ({})],
    ["/api/upload", () => buildUpload(), () => ({ Cookie: cookie })],
  ];
  const cells = targets.flatMap(([path, body, more]) =>
    origins.map(
      ([name, headers, isTaken]) => [path, name, isTaken, body, () => ({ ...more(), ...headers() })] as const,
    ),
  );

  test.each(cells)("POST %s with %s: accepted %p", async (path, _, isTaken, body, headers) => {
    const response = await fetch(service.baseUrl + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers() },
      body: JSON.stringify(body()),
    });
    expect(response.status).toBe(isTaken ? 200 : 403);
    if (isTaken) return;
    expect(response.headers.get("set-cookie")).toBeNull();
    failureSchema.parse(await response.json());
  });

  const types: readonly [string, number][] = [
    ["text/plain", 400],
    ["application/x-www-form-urlencoded", 400],
    ["multipart/form-data; boundary=x", 415],
    ["application/jsonp", 400],
    ["", 400],
    ["application/json; charset=utf-8", 200],
    ["Application/JSON", 200],
  ];
  test.each(types)("content type %p → %i", async (type, status) => {
    const headers = { Cookie: cookie, "Content-Type": type };
    expect((await post(service, "/api/upload", buildUpload(), headers)).status).toBe(status);
    const credentials = { email: user.email, password: PASSWORD };
    expect((await post(service, SIGN_IN, credentials, { "Content-Type": type })).status).toBe(status);
  });

  test("a foreign page without a cookie is refused as well, and a program without a token is asked for one", async () => {
    expect((await post(service, "/api/upload", buildUpload(), { Origin: "https://evil.example" })).status).toBe(403);
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
    expect((await fetch(`${service.baseUrl}/api/upload`, init)).status).toBe(401);
  });

  test("with a token, requests are accepted from anywhere, because browsers add none", async () => {
    const headers = { Authorization: `Bearer ${user.token}`, Origin: "https://elsewhere.example" };
    expect((await post(service, "/api/upload", buildUpload(), headers)).status).toBe(200);
  });

  test("a token doesn't make a cookie acceptable", async () => {
    const other = await signIn(service, user);
    const headers = { Cookie: other, Authorization: "Bearer x", Origin: "https://evil.example" };
    await post(service, "/api/auth/sign-out", {}, headers);
    expect((await post(service, "/api/auth/revoke-sessions", {}, headers)).status).toBe(401);
    expect(await listAs({ Cookie: other })).toBe(200);
  });
});
