import { beforeAll, describe, expect, test } from "bun:test";
import { createSignInAttempts } from "../../../../src/domain/people/sign-in-attempts.ts";
import { clock, random, startService } from "../../../support/service.ts";
import { post, signIn } from "../../../support/sessions.ts";
import { use } from "../../../support/use.ts";
import { BEGIN, CALLBACK, createVisitor } from "./oidc-provider.ts";
import {
  ATTEMPT_COOKIE,
  expectRefused,
  NO_ATTEMPT,
  providerOfFile,
  SECRET,
  startWith,
  uniqueLogin,
  whoIs,
} from "./oidc-support.ts";

const provider = providerOfFile();

describe("an attempt to sign in", () => {
  const service = use(() => startWith(provider().issuer));
  let login: string;
  beforeAll(async () => {
    const user = await service.build.user();
    login = uniqueLogin();
    await provider().tell(login, { email: user.email, email_verified: true });
  });

  test("asks the provider for a code, with PKCE and state, and reveals nothing to others", async () => {
    const visitor = createVisitor(service);
    const url = new URL(await visitor.begin());
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "vitrine",
      redirect_uri: `${service.baseUrl}${CALLBACK}`,
      response_type: "code",
      scope: "openid email profile",
      state: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expect(visitor.cookieOf(ATTEMPT_COOKIE)).not.toContain(url.searchParams.get("nonce") ?? "");
  });

  test("is kept in a cookie that scripts and other sites can't read", async () => {
    const response = await post(service, BEGIN, {});
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^vitrine_sign_in=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test("is started by Vitrine's own pages only", async () => {
    const response = await post(service, BEGIN, {}, { Origin: "https://elsewhere.example.org" });
    expect(response.status).toBe(403);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect((await fetch(service.baseUrl + BEGIN)).status).toBe(405);
  });

  test("passes the trace of a request on to the provider", async () => {
    const [beginning, ending] = ["4bf92f3577b34da6a3ce929d0e0e4736", "5bf92f3577b34da6a3ce929d0e0e4736"];
    const traced = (trace: string) => ({ traceparent: `00-${trace}-00f067aa0ba902b7-01` });
    await using other = await startWith(provider().issuer);
    await post(other, BEGIN, {}, traced(beginning));
    expect(await provider().requestsOf(beginning)).toEqual(["/.well-known/openid-configuration"]);
    const visitor = createVisitor(other);
    const url = await visitor.visitProvider(await visitor.begin(), login);
    await fetch(url, { headers: { Cookie: visitor.cookies(), ...traced(ending) }, redirect: "manual" });
    expect(await provider().requestsOf(ending)).toContain("/token");
  });

  test.each([
    ["another site", "https://elsewhere.example.org/", "/-/"],
    ["another site without its scheme", "//elsewhere.example.org", "/-/"],
    ["another site with a backslash", "/\\elsewhere.example.org", "/-/"],
    ["a path that no cookie can keep", `/${"x".repeat(3000)}`, "/"],
  ])("leads to the home page instead of %s", async (_, next, home) => {
    const response = await createVisitor(service).signIn(login, next);
    expect(response.headers.get("location")).toBe(service.baseUrl + home);
  });

  test.each<[string, (url: URL) => void]>([
    ["another state", (url) => url.searchParams.set("state", "x".repeat(32))],
    ["no state", (url) => url.searchParams.delete("state")],
    [
      "nothing",
      (url) => {
        url.search = "";
      },
    ],
  ])("with %s is refused, and can still be completed", async (_, change) => {
    const visitor = createVisitor(service);
    const back = await visitor.visitProvider(await visitor.begin(), login);
    const wrong = new URL(back);
    change(wrong);
    await expectRefused(await visitor.get(wrong.href), visitor, 400, NO_ATTEMPT);
    expect((await visitor.get(back)).status).toBe(302);
  });

  test("can't be completed in another browser", async () => {
    const [visitor, other, third] = [createVisitor(service), createVisitor(service), createVisitor(service)];
    const back = await visitor.visitProvider(await visitor.begin(), login);
    await expectRefused(await other.get(back), other, 400, NO_ATTEMPT);
    await third.begin();
    await expectRefused(await third.get(back), third, 400, NO_ATTEMPT);
    expect((await visitor.get(back)).status).toBe(302);
  });

  test("doesn't change who is signed in when a stranger's link is followed", async () => {
    const user = await service.build.user();
    const cookie = await signIn(service, user);
    const stranger = createVisitor(service);
    const back = await stranger.visitProvider(await stranger.begin(), login);
    const response = await fetch(back, { headers: { Cookie: cookie }, redirect: "manual" });
    expect(response.status).toBe(400);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(await whoIs(service, cookie)).toMatchObject({ slug: user.slug });
  });

  test("is completed once, even if the browser kept its cookie", async () => {
    const visitor = createVisitor(service);
    const url = await visitor.begin();
    const kept = visitor.cookies();
    const back = await visitor.visitProvider(url, login);
    expect((await visitor.get(back)).status).toBe(302);
    const later = createVisitor(service);
    await expectRefused(await later.get(back), later, 400, NO_ATTEMPT);
    const replayed = await fetch(back, { headers: { Cookie: kept }, redirect: "manual" });
    await expectRefused(replayed, later, 400, "has expired or was already used");
    expect(replayed.headers.getSetCookie()).toEqual([expect.stringContaining("vitrine_sign_in=; Max-Age=0")]);
  });

  test("expires after ten minutes", async () => {
    const answerAfter = async (milliseconds: number) => {
      const past = { now: () => clock.now() - milliseconds };
      const { attempt, kept } = createSignInAttempts({ secret: SECRET, clock: past, random }).begin("/");
      return fetch(
        `${service.baseUrl}${CALLBACK}?error=access_denied&iss=${provider().issuer}&state=${attempt.state}`,
        {
          headers: { Cookie: `${ATTEMPT_COOKIE}=${kept}` },
        },
      );
    };
    const inTime = await answerAfter(9.8 * 60_000);
    expect({ status: inTime.status, html: await inTime.text() }).toMatchObject({
      status: 403,
      html: expect.stringContaining("cancelled"),
    });
    await expectRefused(await answerAfter(10 * 60_000 + 1000), createVisitor(service), 400, NO_ATTEMPT);
  });

  test("with a foreign cookie is refused", async () => {
    const { attempt, kept } = createSignInAttempts({ secret: `${SECRET}x`, clock, random }).begin("/");
    const back = `${service.baseUrl}${CALLBACK}?code=x&state=${attempt.state}`;
    const response = await fetch(back, { headers: { Cookie: `${ATTEMPT_COOKIE}=${kept}` } });
    await expectRefused(response, createVisitor(service), 400, NO_ATTEMPT);
  });

  test("that is cancelled at the provider ends on a page that leads back to its start", async () => {
    const visitor = createVisitor(service);
    const back = await visitor.visitProvider(await visitor.begin("/a-report/#part"), undefined);
    const response = await visitor.get(back);
    const html = await expectRefused(response, visitor, 403, "The sign-in was cancelled");
    expect(html).toContain('href="/-/sign-in?next=%2Fa-report%2F%23part"');
  });

  test("shows no text from the parameters of its callback", async () => {
    const visitor = createVisitor(service);
    const state = new URL(await visitor.begin()).searchParams.get("state");
    const words = "error=<script>&error_description=call+0900";
    const response = await visitor.get(
      `${service.baseUrl}${CALLBACK}?${words}&state=${state}&iss=${provider().issuer}`,
    );
    expect(response.status).toBe(403);
    const html = await response.text();
    expect(html).not.toContain("<script>");
    expect(html).not.toContain("0900");
  });
});

test("doesn't exist without a provider", async () => {
  await using service = await startService();
  expect((await post(service, BEGIN, {})).status).toBe(404);
  expect((await fetch(service.baseUrl + CALLBACK)).status).toBe(404);
  expect(await (await fetch(`${service.baseUrl}/-/sign-in`)).text()).not.toContain("single sign-on");
});
