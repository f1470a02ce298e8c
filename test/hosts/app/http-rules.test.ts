import { beforeAll, describe, expect, test } from "bun:test";
import { routes } from "../../../src/contract/index.ts";
import type { Route } from "../../../src/contract/model/route.ts";
import { uploadRoute } from "../../../src/contract/publishing/publish.ts";
import { mailOffRoute } from "../../../src/contract/reviews/inbox.ts";
import { operatorOfCommand } from "../../../src/domain/model/access.ts";
import { reachesProgram } from "../../support/behind-nginx.ts";
import { addPerson } from "../../support/people.ts";
import { sendRaw } from "../../support/raw-http.ts";
import { failureSchema, send } from "../../support/scenarios.ts";
import { buildUpload, useService } from "../../support/service.ts";
import { asPage, signIn } from "../../support/sessions.ts";
import { actionsOf } from "./actions.ts";

const MEBIBYTE = 1024 * 1024;
/** Milliseconds. A proxy waits for the rest of the body before it closes, although it has answered. */
const PATIENCE = 10_000;
/** Pages have another one in each answer. */
const NONCE = /(?<='nonce-)[0-9A-Za-z]{22}(?=')/g;
const REQUEST_ID = /^[0-9A-Za-z]{16}$/;
const posts = routes.filter(({ method }) => method === "POST");
const gets = routes.filter(({ method }) => method === "GET");

/** Checks what every answer below /api has in common. */
function expectApiAnswer(response: Response): void {
  const { headers } = response;
  expect(headers.get("x-request-id")).toMatch(REQUEST_ID);
  expect(headers.get("content-type")).toMatch(/^application\/json(;|$)/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
  expect(headers.get("access-control-allow-origin")).toBeNull();
  expect(headers.get("set-cookie")).toBeNull();
}

async function expectFailure(response: Response, status: number, error: string | RegExp): Promise<void> {
  expect(response.status).toBe(status);
  expectApiAnswer(response);
  expect(failureSchema.parse(await response.json()).error).toMatch(error);
}

/** Returns a body of unknown length, which `fetch` sends in chunks. */
function chunked(bytes: number, start = ""): ReadableStream<Uint8Array> {
  const first = new TextEncoder().encode(start);
  let left = bytes - first.length;
  return new ReadableStream({
    start: (controller) => controller.enqueue(first),
    pull(controller) {
      const size = Math.min(left, 64 * 1024);
      left -= size;
      if (size > 0) controller.enqueue(new Uint8Array(size).fill(0x20));
      else controller.close();
    },
  });
}

describe("rules for the whole API", () => {
  const service = useService();
  const act = actionsOf(service);
  let token: string;
  let cookie: string;

  beforeAll(async () => {
    const user = await addPerson(service);
    token = user.token;
    // Others get 404 from the endpoints of operators.
    const change = { by: operatorOfCommand(), userId: user.userId, isOperator: true, now: Date.now() };
    await service.build.store.operations.setOperator(change);
    cookie = await signIn(service, user);
  });

  const call = (method: string, path: string, init: RequestInit = {}) =>
    fetch(`${service.baseUrl}${path}`, { method, headers: { Authorization: `Bearer ${token}` }, ...init });

  describe("paths", () => {
    const unknown = [
      "/api",
      "/api/",
      "/api/nothing",
      "/api/list/",
      "/api/list/more",
      "/api/LIST",
      "/api/%zz",
      "/api/list%2F",
      "/api/../api/nothing",
      "/%61pi/nothing",
    ];

    test.each(unknown.filter(reachesProgram))("%s → 404", async (path) => {
      await expectFailure(await call("GET", path), 404, "Unknown endpoint");
    });

    test.each(["POST", "PUT", "DELETE", "OPTIONS"])("an unknown path with %s → 404", async (method) => {
      await expectFailure(await call(method, "/api/nothing"), 404, "Unknown endpoint");
    });

    test("an unknown path without a token → 404", async () => {
      await expectFailure(await call("GET", "/api/nothing", { headers: {} }), 404, "Unknown endpoint");
    });
  });

  describe("methods", () => {
    const wrong = [
      ...posts.flatMap(({ path }) =>
        ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"].map((m) => [m, path, "POST"]),
      ),
      ...gets.flatMap(({ path }) => ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((m) => [m, path, "GET, HEAD"])),
      ...["POST", "DELETE", "OPTIONS"].map((m) => [m, "/api/openapi.json", "GET, HEAD"]),
    ].map(([method = "", path = "", allow = ""]) => [method, path, allow] as const);

    test.each(wrong)("%s %s → 405, Allow: %s", async (method, path, allow) => {
      const response = await call(method, path);
      expect(response.status).toBe(405);
      expectApiAnswer(response);
      expect(response.headers.get("allow")).toBe(allow);
      if (method === "HEAD") expect(await response.text()).toBe("");
      else expect(failureSchema.parse(await response.json()).error).toContain(allow);
    });

    test("a preflight is not answered, so pages can't send a token", async () => {
      const response = await call("OPTIONS", "/api/list", {
        headers: { Origin: "http://evil.example", "Access-Control-Request-Method": "GET" },
      });
      await expectFailure(response, 405, "OPTIONS isn't supported here");
    });

    test("a method in a header or a parameter is ignored", async () => {
      const response = await call("POST", "/api/list?_method=GET", { headers: { "X-HTTP-Method-Override": "GET" } });
      await expectFailure(response, 405, "POST isn't supported here");
    });
  });

  describe("HEAD", () => {
    test.each(["/api/list", "/api/config", "/api/openapi.json", "/api/group?name=none", "/api/nothing", "/", "/none"])(
      "%s is GET without its body",
      async (path) => {
        // Compressed bodies are in compression.test.ts.
        const init = { headers: { Authorization: `Bearer ${token}`, "Accept-Encoding": "identity" } };
        const [get, head] = await Promise.all([call("GET", path, init), call("HEAD", path, init)]);
        const length = (await get.bytes()).length;
        expect(await head.text()).toBe("");
        expect(head.status).toBe(get.status);
        // RFC 9110 §8.6: a length must be that of the body which GET would send.
        expect(["none", String(length)]).toContain(head.headers.get("content-length") ?? "none");
        const compared = (response: Response) => {
          const {
            date,
            "x-request-id": _,
            "content-length": __,
            "transfer-encoding": ___,
            ...rest
          } = Object.fromEntries(response.headers);
          return Object.fromEntries(
            Object.entries(rest).map(([name, value]) => [name, value.replaceAll(NONCE, "nonce")]),
          );
        };
        expect(compared(head)).toEqual(compared(get));
      },
    );

    test("requires a token if GET does", async () => {
      const response = await call("HEAD", "/api/list", { headers: {} });
      expect(response.status).toBe(401);
      expect(await response.text()).toBe("");
    });
  });

  describe("bodies", () => {
    const limitOf = ({ path, maximumBytes = 64 * 1024 }: Pick<Route, "path" | "maximumBytes">) =>
      path === uploadRoute.path
        ? { size: 20 * MEBIBYTE, text: "20 MB" }
        : { size: maximumBytes, text: `${maximumBytes / 1024} KB` };
    // Mail programs send it a form, which nobody reads.
    const reading = posts.filter(({ id }) => id !== mailOffRoute.id);
    const cases = reading.map((route) => ({ route, path: route.path, ...limitOf(route) }));
    const type = { "Content-Type": "application/json" };
    const headers = ({ credential }: Pick<Route, "credential"> = {}): Record<string, string> =>
      credential === "session"
        ? { ...type, ...asPage(service, cookie) }
        : { ...type, Authorization: `Bearer ${token}` };

    test.each(cases)("$path: more than $text with its length → 413", async ({ route, path, size, text }) => {
      const body = " ".repeat(size + 1);
      await expectFailure(await call("POST", path, { headers: headers(route), body }), 413, `limit of ${text}`);
    });

    test.each(cases)("$path: more than $text in chunks → 413", async ({ route, path, size, text }) => {
      const body = chunked(size + 1);
      await expectFailure(await call("POST", path, { headers: headers(route), body }), 413, `limit of ${text}`);
    });

    test.each(cases)("$path: exactly $text is read", async ({ route, path, size }) => {
      const body = chunked(size, "{");
      await expectFailure(await call("POST", path, { headers: headers(route), body }), 400, "isn't valid JSON");
    });

    test("an upload of exactly 20 MB, in chunks, is published", async () => {
      const body = chunked(20 * MEBIBYTE, JSON.stringify(buildUpload()));
      const response = await call("POST", uploadRoute.path, { headers: headers(), body });
      expect(response.status).toBe(200);
      const { code } = uploadRoute.response.parse(await response.json());
      expect((await act.read(token, code)).status).toBe(200);
    });

    test("a length over the limit is refused before the body arrives", async () => {
      const head = `POST /api/upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`;
      const answer = await sendRaw(
        service.baseUrl,
        `${head}Content-Length: ${20 * MEBIBYTE + 1}\r\nConnection: close\r\n\r\n`,
        PATIENCE,
      );
      expect(answer.status).toBe(413);
      expect(failureSchema.parse(JSON.parse(answer.body)).error).toContain("20 MB");
    });

    test("the service continues after a refusal", async () => {
      await call("POST", uploadRoute.path, { headers: headers(), body: chunked(21 * MEBIBYTE) });
      const { response } = await send(service, uploadRoute, { token, body: buildUpload() });
      expect(response.status).toBe(200);
    });

    test.each(["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", "nonsense"])(
      "with a token, Content-Type: %s changes nothing",
      async (type) => {
        const body = JSON.stringify(buildUpload());
        const response = await call("POST", uploadRoute.path, {
          headers: { ...headers(), "Content-Type": type },
          body,
        });
        expect(response.status).toBe(200);
      },
    );

    test("a byte order mark before the JSON is ignored", async () => {
      const { response } = await send(service, uploadRoute, { token, body: `\ufeff${JSON.stringify(buildUpload())}` });
      expect(response.status).toBe(200);
    });
  });

  describe("unusual requests", () => {
    const close = "Connection: close\r\n\r\n";

    const hosts = ["%%%", "[::1", "a b", "a/b", "\u00e9", ""].flatMap((host) => [
      ["GET", host] as const,
      ["HEAD", host] as const,
    ]);
    test.each(hosts)("%s with Host: %j is never a 5xx", async (method, host) => {
      const head = `${method} /api/group?name=x HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n`;
      const answer = await sendRaw(service.baseUrl, Buffer.from(`${head}${close}`, "latin1"));
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    });

    test.each(["reports.example.org", "127.0.0.1", "localhost:1"])("Host: %s with a token is served", async (host) => {
      const head = `GET /api/list HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n`;
      const answer = await sendRaw(service.baseUrl, `${head}${close}`);
      expect(answer.status).toBe(200);
    });

    test("a repeated parameter → 400", async () => {
      await expectFailure(await call("GET", "/api/group?name=a&name=b"), 400, '"name" occurs more than once');
    });

    test("an error is one line that names the cause", async () => {
      await expectFailure(await call("GET", "/api/group?a%0Ab=1&a%0Ab=2"), 400, "occurs more than once");
    });

    test("each answer has a new request id", async () => {
      const ids = await Promise.all(
        Array.from({ length: 20 }, async () => (await call("GET", "/api/config")).headers.get("x-request-id")),
      );
      expect(new Set(ids).size).toBe(20);
    });

    test("the client's request id is not used", async () => {
      const response = await call("GET", "/api/config", { headers: { "X-Request-Id": "mine" } });
      expect(response.headers.get("x-request-id")).toMatch(REQUEST_ID);
    });
  });
});
