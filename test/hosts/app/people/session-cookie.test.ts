import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { findFreePort } from "../../../support/ports.ts";
import { sendRaw } from "../../../support/raw-http.ts";
import { PASSWORD, type Service, startService } from "../../../support/service.ts";
import { cookiesOf, post } from "../../../support/sessions.ts";

const BASE_URL = "https://reports.example.org";
const NEW_PASSWORD = "a new horse";

/** Bytes of a `Cookie` header with which another page tries to replace a reader's session. */
const HIDDEN: readonly [string, (cookie: string) => string][] = [
  ["after a no-break space", (cookie) => `\xA0${cookie}`],
  ["after a no-break space in UTF-8", (cookie) => `\xC2\xA0${cookie}`],
  ["after a no-break space and another cookie", (cookie) => `theme=dark; \xA0${cookie}`],
  ["after a byte order mark", (cookie) => `\xEF\xBB\xBF${cookie}`],
  ["with a no-break space before =", (cookie) => cookie.replace("=", "\xA0=")],
  ["twice", (cookie) => `${cookie}; ${cookie}`],
];

describe("a session cookie over https", () => {
  let service: Service;
  let inside: { baseUrl: string };
  let cookie: string;

  beforeAll(async () => {
    const port = await findFreePort();
    const environment = {
      VITRINE_PORT: String(port),
      VITRINE_BASE_URL: BASE_URL,
      VITRINE_CONTENT_URL: "https://content.example.org",
    };
    service = await startService({ environment });
    inside = { baseUrl: `http://127.0.0.1:${port}` };
    const { email } = await service.build.user();
    const body = { email, password: PASSWORD };
    cookie = cookiesOf(await post(inside, "/api/auth/sign-in/email", body, { Origin: BASE_URL }));
    expect(cookie).toStartWith("__Host-vitrine_session=");
  });
  afterAll(() => service[Symbol.asyncDispose]());

  /** Sends the header's bytes as they are. */
  function send(method: "GET" | "POST", path: string, cookies: string, body = "") {
    const head = [
      `${method} ${path} HTTP/1.1`,
      "Host: reports.example.org",
      `Origin: ${BASE_URL}`,
      `Cookie: ${cookies}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "Connection: close",
    ].join("\r\n");
    return sendRaw(inside.baseUrl, Buffer.from(`${head}\r\n\r\n${body}`, "latin1"), 20_000);
  }

  const statusOf = async (...request: Parameters<typeof send>) => (await send(...request)).status;
  const passwords = JSON.stringify({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD });

  test.each(HIDDEN)("%s is ignored by Vitrine and by the sign-in library", async (_, hide) => {
    const hidden = hide(cookie);
    expect(await statusOf("GET", "/api/list", hidden)).toBe(401);
    expect((await send("GET", "/api/auth/get-session", hidden)).body).toContain("null");
    expect(await statusOf("POST", "/api/auth/change-password", hidden, passwords)).toBe(401);
    expect(await statusOf("POST", "/api/auth/revoke-sessions", hidden, "{}")).toBe(401);
    expect(await statusOf("POST", "/api/auth/sign-out", hidden, "{}")).toBe(200);
    // The session is unaffected.
    expect(await statusOf("GET", "/api/list", cookie)).toBe(200);
  });

  test("alone is accepted, and beside a hidden one it is still the reader's own", async () => {
    expect(await statusOf("GET", "/api/list", `\xA0__Host-vitrine_session=evil; ${cookie}`)).toBe(200);
    expect(await statusOf("POST", "/api/auth/sign-out", `\xA0__Host-vitrine_session=evil; ${cookie}`, "{}")).toBe(200);
    expect(await statusOf("GET", "/api/list", cookie)).toBe(401);
  });
});
