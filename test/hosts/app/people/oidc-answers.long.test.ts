import { beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { logged } from "../../../support/log.ts";
import { failureSchema } from "../../../support/scenarios.ts";
import { post, signIn } from "../../../support/sessions.ts";
import { use } from "../../../support/use.ts";
import { ACCESS_TOKEN, type Answers, startCrookedProvider } from "./crooked-provider.ts";
import { BEGIN, CALLBACK, createVisitor, oidcEnvironment } from "./oidc-provider.ts";
import { expectRefused, startWith, whoIs } from "./oidc-support.ts";

const CODE = "a-code-for-once";
const CLIENT_SECRET = oidcEnvironment("").VITRINE_OIDC_CLIENT_SECRET ?? "";

const hanging = () => new Promise<Response>(() => undefined);
const broken = () => new Response("<h1>Bad gateway</h1>", { status: 502 });

describe("answers of a provider", () => {
  const provider = use(startCrookedProvider);
  const service = use(() => startWith(provider.issuer));
  let user: { slug: string; email: string };
  beforeAll(async () => {
    user = await service.build.user();
  });

  async function signInWith(answers: Answers) {
    const visitor = createVisitor(service);
    const asked = provider.answer(await visitor.begin(), {
      ...answers,
      claims: { email: user.email, email_verified: true, ...answers.claims },
    });
    const response = await visitor.get(`${service.baseUrl}${CALLBACK}?code=${CODE}&state=${asked.get("state")}`);
    return { visitor, response };
  }

  test("open an account if everything is correct", async () => {
    const { visitor, response } = await signInWith({});
    expect(response.status).toBe(302);
    expect(await whoIs(service, visitor.cookies())).toMatchObject({ email: user.email });
    const { body, authorization } = provider.requests.findLast(({ path }) => path === "/token") ?? {};
    expect(Object.fromEntries(body ?? [])).toEqual({
      grant_type: "authorization_code",
      code: CODE,
      redirect_uri: service.baseUrl + CALLBACK,
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(authorization).toStartWith("Basic ");
  });

  test.each<[string, Answers]>([
    ["signed with another key", { isForged: true }],
    ["not signed", { algorithm: "none" }],
    ["from another provider", { claims: { iss: "https://elsewhere.example.org" } }],
    ["for another server", { claims: { aud: "another" } }],
    ["for another attempt", { claims: { nonce: "another" } }],
    ["without a nonce", { claims: { nonce: undefined } }],
    ["expired", { claims: { iat: 1_700_000_000, exp: 1_700_000_060 } }],
    ["without a subject", { claims: { sub: undefined } }],
    ["missing", { hasNoIdToken: true }],
  ])("refuse an ID token that is %s", async (_, answers) => {
    const { visitor, response } = await signInWith(answers);
    await expectRefused(response, visitor, 403, "can&#39;t be verified");
  });

  test.each([
    ["NUL", "a\0b"],
    ["a lone surrogate", "a\ud800"],
  ])("refuse a subject with %s, which databases can't store", async (_, sub) => {
    const { visitor, response } = await signInWith({ claims: { sub } });
    await expectRefused(response, visitor, 403, "invalid user ID");
  });

  test.each<[string, Answers]>([
    ["is broken", { tokenAnswer: broken }],
    ["rejects the client", { tokenAnswer: () => Response.json({ error: "invalid_client" }, { status: 401 }) }],
    ["returns HTML", { tokenAnswer: () => new Response("<h1>Welcome</h1>") }],
    ["doesn't answer", { tokenAnswer: hanging }],
  ])("sign no one in when the provider %s", async (_, answers) => {
    const { visitor, response } = await signInWith(answers);
    await expectRefused(response, visitor, 503, "isn&#39;t responding correctly");
  });

  test("put no secrets in the log", async () => {
    await signInWith({ isForged: true });
    await signInWith({ tokenAnswer: broken });
    await logged(service, /OAUTH_/);
    for (const secret of [CODE, CLIENT_SECRET, encodeURIComponent(CLIENT_SECRET), "eyJ", ACCESS_TOKEN]) {
      expect(service.log()).not.toContain(secret);
    }
  });

  test("are limited in number", async () => {
    await using other = await startWith(provider.issuer);
    const visitor = createVisitor(other);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 61; attempt++) {
      const asked = provider.answer(await visitor.begin(), { isForged: true });
      const response = await visitor.get(`${other.baseUrl}${CALLBACK}?code=${CODE}&state=${asked.get("state")}`);
      statuses.push(response.status);
    }
    expect(statuses).toEqual([...Array(60).fill(403), 429]);
    await signIn(other, await other.build.user());
  });
});

describe("an unreachable provider", () => {
  test.each<[string, Answers]>([
    ["doesn't answer", { discoveryAnswer: hanging }],
    ["is broken", { discoveryAnswer: broken }],
    ["claims to be another one", { discoveredIssuer: "https://elsewhere.example.org" }],
  ])("that %s doesn't prevent sign-in with a password, and is asked again later", async (_, answers) => {
    await using provider = await startCrookedProvider();
    await using service = await startWith(provider.issuer);
    provider.set(answers);
    const beginning = post(service, BEGIN, {});
    const user = await service.build.user();
    expect((await fetch(`${service.baseUrl}/-/sign-in`)).status).toBe(200);
    expect(await signIn(service, user)).toStartWith("vitrine_session=");
    const response = await beginning;
    expect(response.status).toBe(503);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(failureSchema.parse(await response.json()).error).toContain("isn't responding correctly");
    provider.set({});
    expect((await post(service, BEGIN, {})).status).toBe(200);
  });

  test("doesn't prevent the server from starting", async () => {
    const provider = await startCrookedProvider();
    await provider[Symbol.asyncDispose]();
    await using service = await startWith(provider.issuer);
    expect((await post(service, BEGIN, {})).status).toBe(503);
    expect((await fetch(`${service.baseUrl}/-/sign-in`)).status).toBe(200);
  });
});

test("over https, the cookies are bound to the host", async () => {
  await using provider = await startCrookedProvider();
  const baseUrl = "https://reports.example.org";
  const port = await freePort();
  await using service = await startWith(provider.issuer, {
    VITRINE_BASE_URL: baseUrl,
    VITRINE_CONTENT_URL: "https://content.example.org",
    VITRINE_PORT: String(port),
  });
  const user = await service.build.user();
  const begun = await fetch(`http://localhost:${port}${BEGIN}`, {
    method: "POST",
    headers: { Origin: baseUrl, "Content-Type": "application/json" },
    body: JSON.stringify({ next: "/a-report/" }),
  });
  const [cookie = ""] = begun.headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-vitrine_sign_in=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  const { url } = z.object({ url: z.string() }).parse(await begun.json());
  const asked = provider.answer(url, { claims: { email: user.email, email_verified: true } });
  expect(asked.get("redirect_uri")).toBe(baseUrl + CALLBACK);
  const back = await fetch(`http://localhost:${port}${CALLBACK}?code=${CODE}&state=${asked.get("state")}`, {
    headers: { Cookie: cookie.split(";")[0] ?? "" },
    redirect: "manual",
  });
  expect(back.headers.get("location")).toBe(`${baseUrl}/a-report/`);
  expect(back.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-vitrine_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    "__Host-vitrine_sign_in=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax",
  ]);
});

async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port = 0 } = server;
  await server.stop(true);
  return port;
}
