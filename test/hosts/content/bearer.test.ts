import { beforeAll, describe, expect, test } from "bun:test";
import type { Scope } from "../../../src/domain/model/entities.ts";
import { bearer, noise, publishFiles, read, stableHeaders } from "../../support/content.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { failureSchema } from "../../support/scenarios.ts";
import { useService } from "../../support/service.ts";

const FILES = { "index.html": "<title>Mine</title>", "data.bin": noise(100_000), "app.js": "1" };
const UNKNOWN = "AAAAAAAAAAAAAAAA";

describeOneEngine("reading with a token", (engine) => {
  const service = useService({ engine });
  let ada: { slug: string; token: string };
  let eve: { slug: string; token: string };
  let secret: string;
  let shown: string;

  beforeAll(async () => {
    ada = await service.build.user();
    eve = await service.build.user();
    secret = await publishFiles(service, ada.token, FILES, { visibility: "private" });
    shown = await publishFiles(service, ada.token, FILES);
  });

  const tokenWith = (...scopes: Scope[]) => service.build.token({ userSlug: ada.slug, scopes });
  const statusOf = async (path: string, token: string, headers = {}) =>
    (await read(service, path, { ...bearer(token), ...headers })).status;

  describe.each(Object.entries(FILES))("the user's private %s", (path, uploaded) => {
    test("is returned exactly as uploaded, and not cacheable", async () => {
      for (const _ of ["from the store", "from memory"]) {
        const { status, headers, body } = await read(service, `/${secret}/${path}`, bearer(ada.token));
        expect(status).toBe(200);
        expect(body.equals(Buffer.from(uploaded))).toBe(true);
        expect(headers.get("cache-control")).toBe("private, no-store");
        expect(headers.get("vary")).toEndWith("Authorization");
        expect(headers.get("set-cookie")).toBeNull();
      }
    });

    test("is not found by others", async () => {
      await read(service, `/${secret}/${path}`, bearer(ada.token));
      expect((await read(service, `/${secret}/${path}`)).status).toBe(404);
      expect(await statusOf(`/${secret}/${path}`, eve.token)).toBe(404);
      expect((await read(service, `/${secret}/${path}`, bearer(ada.token))).status).toBe(200);
    });
  });

  test("/{code}/ is the user's index.html, and HEAD, ranges and conditions work", async () => {
    const got = await read(service, `/${secret}/`, bearer(ada.token));
    expect(got.body.toString()).toBe(FILES["index.html"]);
    const head = await read(service, `/${secret}/`, bearer(ada.token), "HEAD");
    expect(stableHeaders(head.headers)).toEqual(stableHeaders(got.headers));
    const range = await read(service, `/${secret}/data.bin`, { ...bearer(ada.token), Range: "bytes=5-8" });
    expect(range.status).toBe(206);
    expect(range.body.equals(FILES["data.bin"].subarray(5, 9))).toBe(true);
    expect(range.headers.get("cache-control")).toBe("private, no-store");
    const etag = got.headers.get("etag") ?? "";
    expect(await statusOf(`/${secret}/`, ada.token, { "If-None-Match": etag })).toBe(304);
    expect(await statusOf(`/${secret}/`, eve.token, { "If-None-Match": etag })).toBe(404);
    expect(await statusOf(`/${secret}/`, eve.token, { "If-None-Match": "*" })).toBe(404);
    expect(await statusOf(`/${secret}/data.bin`, eve.token, { Range: "bytes=999999-" })).toBe(404);
  });

  const scopes: [scope: Scope, status: number][] = [
    ["reports:read", 200],
    ["reports:write", 200],
    ["reports:delete", 403],
  ];
  test.each(scopes)("a token with %s only gets %p", async (scope, status) => {
    expect(await statusOf(`/${secret}/`, await tokenWith(scope))).toBe(status);
  });

  test("a token with reports:delete only reads public reports", async () => {
    expect(await statusOf(`/${shown}/`, await tokenWith("reports:delete"))).toBe(200);
  });

  test("a public report of another user is readable, but not cacheable", async () => {
    const { status, headers, body } = await read(service, `/${shown}/app.js`, bearer(eve.token));
    expect(status).toBe(200);
    expect(body.toString()).toBe("1");
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("vary")).toBe("Accept-Encoding, Authorization");
  });

  test("the next reader without a token gets the public headers", async () => {
    await read(service, `/${shown}/app.js`, bearer(ada.token));
    const { headers } = await read(service, `/${shown}/app.js`);
    expect(headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
    expect(headers.get("vary")).toBe("Accept-Encoding");
  });

  test.each(["vtr_unknown", "x", `vtr_${"0".repeat(49)}`])("the unknown token %p is 401", async (token) => {
    for (const path of [`/${secret}/`, `/${shown}/`, `/${UNKNOWN}/`]) {
      const { status, headers, body } = await read(service, path, bearer(token));
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toBe("Bearer");
      expect(failureSchema.parse(JSON.parse(body.toString())).error).toContain("isn't valid");
    }
  });

  test("a revoked token is 401 at once", async () => {
    const { id, token } = await service.build.tokens.create({ userSlug: ada.slug, scopes: ["reports:read"] });
    expect(await statusOf(`/${secret}/`, token)).toBe(200);
    await service.build.tokens.revoke(ada.slug, id);
    expect(await statusOf(`/${secret}/`, token)).toBe(401);
  });

  test.each(["bearer", "BEARER", "Bearer  "])("the scheme may be written as %p", async (scheme) => {
    const { status } = await read(service, `/${secret}/`, { Authorization: `${scheme} ${ada.token}` });
    expect(status).toBe(200);
  });

  test.each(["", "?token=", "?access_token="])("a token from anywhere else is ignored (%p)", async (query) => {
    const path = `/${secret}/${query}${query === "" ? "" : ada.token}`;
    expect((await read(service, path, { Authorization: "Basic YWRhOng=" })).status).toBe(404);
    expect((await read(service, path, { "X-Authorization": `Bearer ${ada.token}` })).status).toBe(404);
  });

  const acceptHeaders = { page: "text/html,application/xhtml+xml,*/*;q=0.8", JSON: "application/json" };
  const paths = ["", "index.html", "app.js", "none.js"];
  const cases = Object.entries(acceptHeaders).flatMap(([kind, accept]) =>
    paths.map((path): [kind: string, path: string, accept: string] => [kind, path, accept]),
  );
  test.each(cases)("private and unknown are the same 404 %s at /{code}/%s", async (_, path, accept) => {
    for (const credentials of [{}, bearer(eve.token)]) {
      const headers = { ...credentials, Accept: accept };
      const hidden = await read(service, `/${secret}/${path}`, headers);
      const unknown = await read(service, `/${UNKNOWN}/${path}`, headers);
      expect([hidden.status, unknown.status]).toEqual([404, 404]);
      // The response may quote the requested code.
      expect(hidden.body.toString()).toBe(unknown.body.toString().replaceAll(UNKNOWN, secret));
      expect(stableHeaders(hidden.headers)).toEqual(stableHeaders(unknown.headers));
      expect(hidden.body.length).toBeGreaterThan(0);
    }
  });

  test("unknown files of the user's reports are 404, also with impossible codes", async () => {
    for (const path of [`/${secret}/none.js`, `/${UNKNOWN}/`, "/aaaaaaaaaaaaaaaa/", "/short/", "/"]) {
      expect(await statusOf(path, ada.token)).toBe(404);
    }
  });

  describe("in an organization", () => {
    async function buildOrganization() {
      const { slug, owner, members } = await service.build.organization({ roles: ["admin", "member", "member"] });
      const [admin = owner, author = owner, colleague = owner] = members;
      return { slug, owner, admin, author, colleague };
    }

    test("shared reports are readable by all its members and no others", async () => {
      const { owner, admin, author, colleague } = await buildOrganization();
      const code = await publishFiles(service, author.token, FILES, { visibility: "org" });
      for (const { token } of [owner, admin, author, colleague]) {
        expect(await statusOf(`/${code}/data.bin`, token)).toBe(200);
      }
      expect(await statusOf(`/${code}/`, eve.token)).toBe(404);
      expect((await read(service, `/${code}/`)).status).toBe(404);
    });

    test("private reports are readable by their creator, owners and admins", async () => {
      const { owner, admin, author, colleague } = await buildOrganization();
      const code = await publishFiles(service, author.token, FILES, { visibility: "private" });
      for (const { token } of [owner, admin, author]) expect(await statusOf(`/${code}/`, token)).toBe(200);
      expect(await statusOf(`/${code}/`, colleague.token)).toBe(404);
      expect(await statusOf(`/${code}/`, eve.token)).toBe(404);
    });

    test("a member's token for their own workspace reads them, too", async () => {
      const { author, colleague } = await buildOrganization();
      const code = await publishFiles(service, author.token, FILES, { visibility: "org" });
      expect(await statusOf(`/${code}/`, await service.build.token({ userSlug: colleague.slug }))).toBe(200);
    });

    test("a colleague's token reads a report shared from a personal workspace", async () => {
      const { author, colleague } = await buildOrganization();
      const own = await service.build.token({ userSlug: author.slug });
      const code = await publishFiles(service, own, FILES, { visibility: "org" });
      expect(await statusOf(`/${code}/`, own)).toBe(200);
      expect(await statusOf(`/${code}/`, colleague.token)).toBe(200);
      expect(await statusOf(`/${code}/`, eve.token)).toBe(404);
    });
  });
});
