import { beforeAll, describe, expect, test } from "bun:test";
import { bearer, type Got, noise, publishFiles, read, readRaw } from "../../support/content.ts";
import { useService } from "../../support/service.ts";
import { MEDIA_TYPES } from "./media-type-names.ts";

const SANDBOX =
  "sandbox allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads allow-pointer-lock";

/** Documents with scripts by their extension, according to the WHATWG's MIME standard. */
const DOCUMENTS = /\.(?:html?|xhtml|svg|xml)$/;

/** Checks the headers of every response, with any status. */
function expectCommonHeaders({ headers }: Got, isDocument = true): void {
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-expose-headers")).toBe("Content-Range, Accept-Ranges, ETag");
  expect(headers.get("access-control-allow-headers")).toBeNull();
  expect(headers.get("access-control-allow-methods")).toBeNull();
  expect(headers.get("access-control-allow-credentials")).toBeNull();
  expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("set-cookie")).toBeNull();
  expect(headers.get("x-frame-options")).toBeNull();
  if (!isDocument) {
    expect(headers.get("permissions-policy")).toBeNull();
    return;
  }
  const denied = (headers.get("permissions-policy") ?? "").split(", ");
  for (const feature of ["camera", "microphone", "geolocation", "payment", "usb", "accelerometer", "gyroscope"]) {
    expect(denied).toContain(`${feature}=()`);
  }
}

describe("headers of the content host", () => {
  const service = useService();
  let token: string;
  let code: string;
  let secret: string;

  const MIXED = {
    ...Object.fromEntries(Object.keys(MEDIA_TYPES).map((path) => [path, "<p>content"])),
    "page.constructor": "x",
    "large.bin": noise(2.5 * 1024 * 1024),
  };

  beforeAll(async () => {
    token = (await service.build.user()).token;
    code = await publishFiles(service, token, MIXED);
    secret = await publishFiles(service, token, {}, { visibility: "private" });
  });

  const documentPolicy = () =>
    `${SANDBOX}; base-uri 'self'; form-action 'none'; frame-ancestors ${service.baseUrl} ${service.contentUrl}`;

  test.each(["", "index.html", "?x=1"])("for the document (/{code}/%s)", async (path) => {
    const got = await read(service, `/${code}/${path}`);
    expect(got.status).toBe(200);
    expectCommonHeaders(got);
    expect(got.headers.get("content-security-policy")).toBe(documentPolicy());
    expect(got.headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
    expect(got.headers.get("accept-ranges")).toBe("bytes");
    expect(got.headers.get("content-disposition")).toBe("inline");
  });

  test.each([
    ["plot.svg?download", "attachment"],
    ["plot.svg?v=1&download=", "attachment"],
    ["?download", "attachment"],
    ["plot.svg?downloads", "inline"],
    ["plot.svg?a=download", "inline"],
    ["download.txt", "inline"],
  ])("for %s: %s", async (path, disposition) => {
    const own = await publishFiles(service, token, { "plot.svg": "<svg/>", "download.txt": "x" });
    // The second request is answered from memory.
    for (const method of ["GET", "GET", "HEAD"]) {
      const response = await fetch(`${service.contentUrl}/${own}/${path}`, { method });
      expect([response.status, response.headers.get("content-disposition")]).toEqual([200, disposition]);
    }
    const partial = await fetch(`${service.contentUrl}/${own}/${path}`, { headers: { Range: "bytes=0-0" } });
    expect([partial.status, partial.headers.get("content-disposition")]).toEqual([206, disposition]);
    const plain = await read(service, `/${own}/${path.replace(/\?.*/, "")}`);
    expect(plain.headers.get("content-disposition")).toBe("inline");
  });

  test.each(Object.keys(MIXED).filter((path) => path !== "index.html"))("for %s", async (path) => {
    const got = await read(service, `/${code}/${path}`);
    expect(got.status).toBe(200);
    expectCommonHeaders(got, DOCUMENTS.test(path));
    expect(got.headers.get("content-security-policy")).toBe(SANDBOX);
    expect(got.headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
    expect(got.headers.get("content-disposition")).toBe("inline");
  });

  test.each(Object.entries(MEDIA_TYPES))("for %s say %s", async (path, type) => {
    expect((await read(service, `/${code}/${path}`)).headers.get("content-type")).toBe(type);
  });

  test("for 304, 206, 416 and a reader with a token are those of the document, too", async () => {
    const { headers } = await read(service, `/${code}/`);
    const answers = [
      [304, await read(service, `/${code}/`, { "If-None-Match": headers.get("etag") ?? "" })],
      [206, await read(service, `/${code}/`, { Range: "bytes=0-3" })],
      [416, await read(service, `/${code}/`, { Range: "bytes=9999-" })],
      [200, await read(service, `/${code}/`, bearer(token))],
      [200, await read(service, `/${code}/`, {}, "HEAD")],
    ] as const;
    for (const [status, got] of answers) {
      expect(got.status).toBe(status);
      expectCommonHeaders(got);
      expect(got.headers.get("content-security-policy")).toBe(documentPolicy());
    }
  });

  const failures: [name: string, status: number, () => Promise<Got>][] = [
    ["a private report", 404, () => read(service, `/${secret}/`)],
    ["an unknown code", 404, () => read(service, "/AAAAAAAAAAAAAAAA/")],
    ["an unknown file", 404, () => read(service, `/${code}/none`)],
    ["the root", 404, () => read(service, "/")],
    ["a wrong token", 401, () => read(service, `/${code}/`, bearer("vtr_wrong"))],
    ["another method", 405, () => read(service, `/${code}/`, {}, "POST")],
    ["a redirect", 308, () => read(service, `/${code}`)],
  ];
  test.each(failures)("for %s (%p) forbid everything, including caching", async (_, status, request) => {
    const got = await request();
    expect(got.status).toBe(status);
    expectCommonHeaders(got);
    expect(got.headers.get("content-security-policy")).toBe("sandbox");
    expect(got.headers.get("cache-control")).toBe("no-store");
    expect(got.headers.get("etag")).toBeNull();
  });

  test.each([
    ["text/html,application/xhtml+xml,*/*;q=0.8", "text/html;charset=utf-8", "<!doctype html>"],
    ["application/json", "application/json;charset=utf-8", '{"error":"'],
    ["*/*", "application/json;charset=utf-8", '{"error":"'],
  ])("for a 404 with Accept: %s", async (accept, type, start) => {
    const { headers, body } = await read(service, "/AAAAAAAAAAAAAAAA/", { Accept: accept });
    expect(headers.get("content-type")?.replace("; ", ";")).toBe(type);
    expect(body.toString()).toStartWith(start);
  });

  describe("for other methods", () => {
    const methods = ["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"];
    test.each(methods)("%s is 405 with the allowed methods", async (method) => {
      for (const target of [`/${code}/`, "/", "/api/config"]) {
        const got = await readRaw(service, target, {
          method,
          headers: {
            Origin: "null",
            "Access-Control-Request-Method": "GET",
            "Access-Control-Request-Headers": "authorization",
            "Content-Length": "0",
          },
        });
        expect(got.status).toBe(405);
        expect(got.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
        expectCommonHeaders(got);
        expect(JSON.parse(got.body.toString())).toEqual({ error: expect.any(String) });
      }
    });
  });

  test("a preflight gets the same response for any address, and never allows a token", async () => {
    const targets = [`/${code}/`, `/${secret}/`, "/AAAAAAAAAAAAAAAA/data.json", "/", "/@ada/none/", "/%ff"];
    for (const target of targets) {
      const got = await readRaw(service, target, {
        method: "OPTIONS",
        headers: {
          Origin: "null",
          "Access-Control-Request-Method": "GET",
          "Access-Control-Request-Headers": "authorization,x-requested-with",
        },
      });
      expect(got.status).toBe(204);
      expect(got.body.length).toBe(0);
      const { headers } = got;
      expect(headers.get("access-control-allow-methods")).toBe("GET, HEAD");
      expect(headers.get("access-control-allow-headers")).toBe(
        "X-Requested-With, Cache-Control, Pragma, If-None-Match, Range",
      );
      expect(headers.get("access-control-max-age")).toBe("86400");
      for (const name of ["access-control-allow-methods", "access-control-allow-headers"]) headers.delete(name);
      expectCommonHeaders(got);
    }
  });

  test.each(["/favicon.ico", "/favicon.svg"])("%s is the service's icon", async (path) => {
    const got = await read(service, path);
    expect(got.status).toBe(200);
    expectCommonHeaders(got);
    expect(got.headers.get("content-type")).toBe(path.endsWith("svg") ? "image/svg+xml" : "image/vnd.microsoft.icon");
    expect(got.headers.get("content-security-policy")).toBe("sandbox");
    expect(got.body.length).toBeGreaterThan(200);
  });

  test("cookies are ignored and never set", async () => {
    const session = { Cookie: `session=abc; token=${token}; authorization=Bearer ${token}` };
    expect((await read(service, `/${secret}/`, session)).status).toBe(404);
    const plain = await read(service, `/${code}/`);
    const withCookie = await read(service, `/${code}/`, session);
    expect(withCookie.status).toBe(200);
    expect(withCookie.body.equals(plain.body)).toBe(true);
    expect(withCookie.headers.get("vary")).toBe("Accept-Encoding");
    expectCommonHeaders(withCookie);
  });

  test("the application host's paths don't exist here", async () => {
    for (const path of ["/api/config", "/api/list", "/-/sign-in", "/robots.txt"]) {
      expect((await read(service, path, bearer(token))).status).toBe(404);
    }
  });
});
